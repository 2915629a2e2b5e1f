import { useEffect, useEffectEvent, useState } from 'react'

/** Takes files dropped anywhere on the page. True while files are dragged over it. */
export function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      take([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', onDragOver, { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal })
    addEventListener('drop', onDrop, { signal })
    return () => stop.abort()
  }, [])
  return isOver
}
