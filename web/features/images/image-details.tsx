import type { ReactNode } from 'react'
import type { Image } from '#contract/images.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { formatDateTime, formatSymbols, withPrice } from '#web/lib/format.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Copy, MessageSquare, Pencil, RotateCcw, Scaling, Trash2 } from '#web/ui/icons.ts'
import { DownloadMenu } from './download-menu.tsx'
import { formatPixels } from './image-labels.ts'

interface ImageDetailsProps {
  image: Image
  modelName: string
  /** Price of drawing it again; null if its model is gone. */
  repeatPrice: number | null
  onChange: () => void
  onReshape: () => void
  onRepeat: () => void
  onDelete: () => void
  /** Versions of the image. */
  children?: ReactNode
}

export function ImageDetails(props: ImageDetailsProps) {
  const { image, modelName, repeatPrice, onChange, onReshape, onRepeat, onDelete, children } = props
  const isPhoto = image.origin === 'uploaded'
  const facts = [
    ...(isPhoto ? [] : [['Модель', modelName]]),
    ['Размер', `${formatPixels(image)}${image.bytes === null ? '' : ` · ${formatBytes(image.bytes)}`}`],
    ['Создано', formatDateTime(image.createdAt)],
    ['Списано', image.charged === 0 ? 'Ничего' : formatSymbols(image.charged)],
  ]
  return (
    <div className="flex flex-col gap-5">
      <p className="max-h-[40dvh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">{image.prompt}</p>
      <dl className="figures grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
      <div className="grid grid-cols-2 gap-2 md:grid-cols-1">
        <Button variant="primary" icon={<Pencil size={18} />} onClick={onChange}>
          Изменить
        </Button>
        {image.origin === 'drawn' && (
          <Button
            icon={<RotateCcw size={18} className="shrink-0" />}
            title={repeatPrice === null ? 'Прежней модели нет: описание перейдёт в поле' : undefined}
            onClick={onRepeat}
          >
            {repeatPrice === null ? 'Взять описание' : withPrice('Нарисовать ещё', repeatPrice)}
          </Button>
        )}
        <DownloadMenu image={image} />
        <Button icon={<Scaling size={18} />} onClick={onReshape}>
          Другие пропорции
        </Button>
        <Button icon={<Copy size={18} />} onClick={() => void copyAndReport(image.prompt, 'Описание скопировано')}>
          <span className="max-md:sr-only">Скопировать описание</span>
          <span aria-hidden="true" className="md:hidden">
            Описание
          </span>
        </Button>
        {image.threadId && (
          <ButtonLink href={paths.thread(image.threadId, image.messageId)} icon={<MessageSquare size={18} />}>
            Открыть чат
          </ButtonLink>
        )}
        <Button icon={<Trash2 size={18} />} onClick={onDelete}>
          Удалить
        </Button>
      </div>
    </div>
  )
}
