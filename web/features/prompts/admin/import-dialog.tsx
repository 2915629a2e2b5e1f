import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { useApplyImport, usePreviewImport } from './admin-queries.ts'
import { ImportChoice } from './import-choice.tsx'
import { ImportPlan } from './import-plan.tsx'
import { ImportReport } from './import-report.tsx'
import type { ChosenFile } from './read-file.ts'

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
        <IconButton
          label="Закрыть"
          icon={<X size={20} aria-hidden="true" />}
          onClick={onClose}
          className="absolute top-2.5 right-2.5"
        />
      </div>
    </Modal>
  )
}
