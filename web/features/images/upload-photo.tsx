import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { ImageUp } from '#web/ui/icons.ts'
import { PHOTO_TYPES, uploadImage } from './queries.ts'

/** Takes a photo into the gallery, where it can be changed like any other image. */
export function UploadPhoto({ onUploaded }: { onUploaded: () => void }) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isSending, setSending] = useState(false)

  async function send(files: File[]) {
    setSending(true)
    try {
      for (const file of files) await uploadImage(client, file)
      onUploaded()
    } catch (error) {
      message.error(callErrorText(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="-mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <FileInput
        ref={input}
        label="Загрузить своё фото"
        accept={PHOTO_TYPES}
        multiple
        onFiles={(files) => void send(files)}
      />
      <Button size="sm" busy={isSending} icon={<ImageUp size={16} />} onClick={() => input.current?.click()}>
        Загрузить своё фото
      </Button>
      Бесплатно. Место съёмки и другие сведения из файла убираются.
    </div>
  )
}
