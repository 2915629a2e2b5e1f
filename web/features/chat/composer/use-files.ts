import { type ClipboardEvent, useCallback } from 'react'
import { lazy } from '#web/lib/lazy.tsx'
import { message } from '#web/lib/notify.ts'
import { usePageDrop } from '#web/lib/use-page-drop.ts'
import { type Upload, uploads } from './uploads.ts'

const uploadCode = lazy(() => import('./upload-files.ts'))

export const preloadUploads = uploadCode.preload

/** Lists the files as uploads until the upload code is loaded, so that the message is not sent without them. */
function announce(draft: string, files: readonly File[]): () => File[] {
  const shown = files.map((file): Upload => {
    const upload = { key: -Math.random(), file, isImage: false, share: 0, error: null, cancel: () => drop([upload]) }
    return upload
  })
  const drop = (gone: readonly Upload[]) =>
    uploads.set(
      draft,
      (uploads.get(draft) ?? []).filter((upload) => !gone.includes(upload)),
    )
  uploads.set(draft, [...(uploads.get(draft) ?? []), ...shown])
  return () => {
    const left = shown.filter((upload) => uploads.get(draft)?.includes(upload))
    drop(shown)
    return left.map(({ file }) => file)
  }
}

export function useFiles(draft: string) {
  const add = useCallback(
    (files: readonly File[]) => {
      const stop = announce(draft, files)
      uploadCode.load().then(
        ({ addFiles }) => addFiles(draft, stop()),
        () => {
          stop()
          message.error('Не загрузилось. Проверьте связь или обновите страницу.')
        },
      )
    },
    [draft],
  )

  const onPaste = useCallback(
    (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      // Tables and documents put both text and an image into the clipboard: the text is wanted.
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      add(files)
    },
    [add],
  )

  return { add, onPaste, isOver: usePageDrop(add) }
}
