import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { MAX_IMPORT_ROWS } from '#contract/prompts-admin.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '../query-error.tsx'
import { type ChosenFile, readChosen } from './read-file.ts'

interface ImportChoiceProps {
  errorText: string | undefined
  isBusy: boolean
  onChoose: (file: ChosenFile) => void
}

export function ImportChoice({ errorText, isBusy, onChoose }: ImportChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [rejection, setRejection] = useState<string>()

  function take(file: File | undefined) {
    if (!file) return
    setRejection(undefined)
    readChosen(file).then(onChoose, (error: Error) => setRejection(error.message))
  }

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer.files[0])
    },
  }

  return (
    <div className="flex flex-col gap-4 overflow-y-auto px-5 pb-5 *:shrink-0">
      <div
        {...drop}
        className={classNames(
          'flex flex-col items-center gap-3 rounded-md border-2 border-dashed px-4 py-10 text-center transition-colors',
          isOver ? 'border-accent-ink bg-accent-soft' : 'border-line-strong',
        )}
      >
        <FileUp size={28} strokeWidth={1.6} aria-hidden="true" className="text-muted" />
        <p>Перетащите сюда файл CSV или JSON</p>
        <Button variant="primary" busy={isBusy} onClick={() => input.current?.click()}>
          Выбрать файл
        </Button>
        <input
          ref={input}
          type="file"
          aria-label="Файл с промптами"
          accept=".csv,.json,.txt,.tsv"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <p className="text-muted text-sm">
          До 1&nbsp;МБ и до {formatNumber(MAX_IMPORT_ROWS)} промптов. CSV в UTF-8 или Windows-1251, через точку с
          запятой или запятую.
        </p>
      </div>
      <ErrorNote text={rejection ?? errorText} />
      <p className="text-pretty text-[15px] text-muted">
        Столбцы: Название и Текст обязательны; Описание, Категория, Опубликован, Порядок и Номер — по желанию. Проще
        всего начать с экспорта: этот же файл можно исправить и загрузить обратно. Сначала покажем, что изменится.
      </p>
    </div>
  )
}
