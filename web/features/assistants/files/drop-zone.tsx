import { useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { usePageDrop } from '#web/lib/use-page-drop.ts'
import { Button } from '#web/ui/button.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { FileUp } from '#web/ui/icons.ts'
import { ACCEPT } from '../file-choice.ts'

/** Files are chosen or dropped anywhere on the page. */
export function DropZone({ label, onFiles }: { label: string; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = usePageDrop(onFiles)
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-dashed border-line-strong p-4 transition-colors',
        isOver && 'border-accent-ink bg-accent-soft',
      )}
    >
      <Button icon={<FileUp size={18} />} onClick={() => input.current?.click()}>
        Добавить файлы
      </Button>
      <p className="min-w-0 flex-1 basis-52 text-sm text-pretty text-muted">
        {isOver
          ? 'Отпустите, чтобы добавить'
          : 'или перетащите сюда: PDF, Word, Excel, PowerPoint, OpenDocument, книги, тексты, фото и сканы, до 20 МБ каждый'}
      </p>
      <FileInput ref={input} multiple accept={ACCEPT} label={label} onFiles={onFiles} />
    </div>
  )
}
