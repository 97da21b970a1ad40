import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { PreviewView } from './PreviewView.tsx';
import classes from './preview.module.css';

/** The preview that this page stands in; undefined where it stands alone. */
const hostOf = () => (window.parent === window ? undefined : window.parent.enfiladePreview);

/** A previewed room in a frame of the preview, which is as large as a phone: what depends on the size of a page does so here. */
export function FramedPreview() {
  const { id } = useParams();
  const [host] = useState(hostOf);
  // Objects of another window are no plain ones in this.
  const [room] = useState(() => host && structuredClone(host.room));
  useEffect(() => {
    if (!host) location.replace(`/admin/editor/preview/${id}`);
  }, [host, id]);
  if (!host || !room) return null;
  return (
    <main className={classes.framed}>
      <PreviewView room={room} host={host} hasToken={host.hasToken} isInside={host.beginning === 'room'} />
    </main>
  );
}
