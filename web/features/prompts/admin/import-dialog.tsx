import { type DragEvent, useId, useRef, useState } from 'react'
import { MAX_IMPORT_ROWS } from '#contract/prompts-admin.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { FileUp, X } from '#web/ui/icons.ts'
import { Modal } from '#web/ui/modal.tsx'
import { ImportPlan, ImportReport } from './import-plan.tsx'
import { useApplyImport, usePreviewImport } from './queries.ts'
import { type ChosenFile, readChosen } from './read-file.ts'

/** Three steps: choose a file, preview the changes, report. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const titleId = useId()
  const [file, setFile] = useState<ChosenFile | null>(null)
  const preview = usePreviewImport()
  const apply = useApplyImport()

  function openPreview({ format, text }: ChosenFile) {
    apply.reset()
    preview.mutate({ format, text })
  }

  function again() {
    setFile(null)
    preview.reset()
    apply.reset()
  }

  return (
    <Modal
      open
      onClose={onClose}
      labelledBy={titleId}
      className="m-auto w-[min(46rem,calc(100vw-2rem))] rounded-lg border bg-surface text-ink open:animate-[rise_140ms_ease-out]"
    >
      <div className="relative flex max-h-[85dvh] flex-col">
        <h2 id={titleId} className="py-4 pr-14 pl-5 text-lg font-semibold">
          {apply.data ? 'Импорт завершён' : preview.data ? 'Что изменится' : 'Импорт промптов'}
        </h2>
        {apply.data ? (
          <ImportReport result={apply.data} onAgain={again} onClose={onClose} />
        ) : preview.data && file ? (
          <ImportPlan
            file={file}
            preview={preview.data}
            errorText={apply.errors.form ?? preview.errors.form}
            isBusy={apply.isPending || preview.isPending}
            onApply={(hash) => apply.mutate({ format: file.format, text: file.text, hash })}
            onPreviewAgain={() => openPreview(file)}
            onBack={again}
          />
        ) : (
          <ImportChoice
            errorText={preview.errors.form}
            isBusy={preview.isPending}
            onChoose={(chosen) => {
              setFile(chosen)
              openPreview(chosen)
            }}
          />
        )}
        <IconButton label="Закрыть" icon={<X size={20} />} onClick={onClose} className="absolute top-2.5 right-2.5" />
      </div>
    </Modal>
  )
}

interface ImportChoiceProps {
  errorText: string | undefined
  isBusy: boolean
  onChoose: (file: ChosenFile) => void
}

function ImportChoice({ errorText, isBusy, onChoose }: ImportChoiceProps) {
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
        <FileUp size={28} strokeWidth={1.6} className="text-muted" />
        <p>Перетащите сюда файл CSV или JSON</p>
        <Button variant="primary" busy={isBusy} onClick={() => input.current?.click()}>
          Выбрать файл
        </Button>
        <FileInput
          ref={input}
          label="Файл с промптами"
          accept=".csv,.json,.txt,.tsv"
          onFiles={([file]) => take(file)}
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
