import { useParams } from 'react-router-dom';

/** The id in the URL; null on add routes. A non-numeric id matches no entry. */
export function useIdParam(): number | null {
  const { id } = useParams();
  if (id === undefined) return null;
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}
