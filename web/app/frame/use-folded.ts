import { useState } from 'react'

const KEY = 'panel-folded'

/** Whether the panel shows icons only; remembered in this browser. */
export function useFolded(): [isFolded: boolean, toggle: () => void] {
  const [isFolded, setFolded] = useState(() => localStorage.getItem(KEY) === 'yes')
  function toggle() {
    setFolded(!isFolded)
    localStorage.setItem(KEY, isFolded ? 'no' : 'yes')
  }
  return [isFolded, toggle]
}
