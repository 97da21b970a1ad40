#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets. Existing ones stay; optional ones are created empty and count as not set.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
umask 077
mkdir -p "$folder"
cd "$folder"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
[ -s postgres_password ] || random > postgres_password
[ -s nats_token ] || random > nats_token
[ -s secret_key ] || random > secret_key
[ -s metrics_token ] || random > metrics_token
# These follow from the others, unless you entered your own.
[ -s database_url ] || printf 'postgres://enfilade:%s@postgres:5432/enfilade' "$(cat postgres_password)" > database_url
[ -s nats_url ] || printf 'nats://%s@nats:4222' "$(cat nats_token)" > nats_url
printf 'http_port: 8222\nauthorization { token: "%s" }\n' "$(cat nats_token)" > nats.conf
for name in admin_password smtp_url s3_secret_access_key youtube_api_key youtube_client_secret youtube_refresh_token \
  vimeo_access_token wowza_api_token instagram_client_secret; do
  [ -e "$name" ] || : > "$name"
done
# Compose mounts the files as they are, and the services run as different users. The folder is closed to others.
chmod 644 ./*
