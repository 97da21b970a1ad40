import { Select, type SelectProps } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';

/** List filters kept in the URL. Changing one goes back to the first page. */
export function useAddressFilter(): [URLSearchParams, (name: string, value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        next.delete('page');
        return next;
      },
      { replace: true },
    );
  return [params, set];
}

/** Select of a list filter. @param name URL parameter */
export function FilterSelect({ name, ...select }: { name: string } & Omit<SelectProps, 'value' | 'onChange'>) {
  const [params, set] = useAddressFilter();
  return <Select clearable {...select} value={params.get(name)} onChange={(value) => set(name, value)} />;
}
