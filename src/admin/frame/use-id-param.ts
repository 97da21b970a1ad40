import { useParams } from 'react-router-dom';

/** The id in the address; null on the way that adds an entry. What is no number is no entry's id. */
export function useIdParam(): number | null {
  const { id } = useParams();
  if (id === undefined) return null;
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}
