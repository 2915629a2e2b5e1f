import { useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { usePageDrop } from '#web/lib/use-page-drop.ts'
import { Button } from '#web/ui/button.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { Glyph } from '#web/ui/glyph.tsx'
import { FolderOpen, Mic } from '#web/ui/icons.ts'
import { ACCEPT } from './local/choose.ts'

interface DropZoneProps {
  onFiles: (files: File[]) => void
  onRecord: () => void
}

export function DropZone({ onFiles, onRecord }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = usePageDrop(onFiles)
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-4 rounded-lg border-2 border-dashed px-4 py-8 text-center transition-colors',
        isOver ? 'border-accent-ink bg-accent-soft' : 'border-line bg-surface',
      )}
    >
      <Glyph name="sound" />
      <div>
        <p className="font-medium">
          {isOver ? (
            'Отпускайте'
          ) : (
            <>
              <span className="pointer-coarse:hidden">Перетащите запись сюда</span>
              <span className="hidden pointer-coarse:inline">Выберите запись или говорите</span>
            </>
          )}
        </p>
        <p className="mt-0.5 text-sm text-pretty text-muted">MP3, WAV, M4A, OGG, WebM, FLAC или видео MP4, до 500 МБ</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" icon={<FolderOpen size={18} />} onClick={() => input.current?.click()}>
          Выбрать файл
        </Button>
        <Button icon={<Mic size={18} />} onClick={onRecord}>
          Записать голос
        </Button>
      </div>
      <FileInput ref={input} multiple accept={ACCEPT} label="Файл с записью" onFiles={onFiles} />
    </div>
  )
}
