import { useEffect, useState } from 'react';
import { useEditor } from '../../session/editor-context.ts';

/** Platforms whose videos can be searched: those whose keys are set. */
export function useVideoModules(): ReadonlySet<string> {
  const { client } = useEditor();
  const [modules, setModules] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    client.modules.list().then(
      (list) => setModules(new Set(list.flatMap(({ type, module }) => (type === 'video' ? [module] : [])))),
      // Without the list, ids can still be typed.
      () => undefined,
    );
  }, [client]);
  return modules;
}
