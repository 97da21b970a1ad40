import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';

/** Unknown back-office path. */
export function NotFoundScreen() {
  return (
    <>
      <Title order={1} size="h2">
        This page does not exist
      </Title>
      <Text mt="sm">
        Check the address, or go{' '}
        <Anchor component={Link} to="/admin">
          to the dashboard
        </Anchor>
        .
      </Text>
    </>
  );
}
