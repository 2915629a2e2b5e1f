import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { message, notify } from '#web/lib/notify.ts'
import { IMAGE_SIDE, readSquareImage } from '#web/lib/square-image.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { useUpdateProfile } from './queries.ts'

interface ProfileImageFieldProps {
  name: string
  image: string | null
}

export function ProfileImageField({ name, image }: ProfileImageFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const update = useUpdateProfile()
  const read = useMutation({
    meta: { silent: true },
    mutationFn: readSquareImage,
    onSuccess: (url) => update.mutate({ image: url }, { onSuccess: () => message.success('Картинка сохранена') }),
  })
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar name={name} image={image} size={72} />
      <div className="flex min-w-0 flex-col gap-2">
        <FileInput
          ref={input}
          label="Файл с картинкой"
          accept="image/*"
          onFiles={([file]) => file && read.mutate(file)}
        />
        <div className="flex flex-wrap gap-2">
          <Button busy={read.isPending || update.isPending} onClick={() => input.current?.click()}>
            {image ? 'Заменить картинку' : 'Загрузить картинку'}
          </Button>
          {image && (
            <Button
              variant="ghost"
              onClick={() => update.mutate({ image: null }, { onSuccess: () => offerBack(image) })}
            >
              Убрать
            </Button>
          )}
        </div>
        {read.error ? (
          <p role="alert" className="text-sm text-danger">
            {read.error.message}
          </p>
        ) : (
          <p className="text-sm text-muted">
            Возьмём середину и уменьшим до {IMAGE_SIDE} × {IMAGE_SIDE}.
          </p>
        )}
      </div>
    </div>
  )

  function offerBack(former: string) {
    // The server accepts only our own image URLs, so an image of another service cannot be restored.
    const canReturn = former.startsWith('data:')
    notify.info({
      title: 'Картинка убрана',
      ...(canReturn && { action: { label: 'Отменить', onClick: () => update.mutate({ image: former }) } }),
    })
  }
}
