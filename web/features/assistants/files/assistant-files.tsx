import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type Assistant, type AssistantFile, MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import { ScanPanel } from '#web/features/scans/queries.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { message, notify } from '#web/lib/notify.ts'
import { undoable, usePendingRemovals } from '#web/lib/undoable.ts'
import { FormSection } from '#web/ui/form/form-section.tsx'
import { chooseFiles } from '../file-choice.ts'
import { allowanceLabel, fileState } from '../file-labels.ts'
import { allowanceQuery, assistantLibrary, isProcessing, type LibraryCalls } from '../queries.ts'
import { cancelUpload, retryUpload, type Upload, uploadFiles, useUploads } from '../uploads.ts'
import { DropZone } from './drop-zone.tsx'
import { FileRow } from './file-row.tsx'

const DESCRIPTION =
  'Ассистент ищет в них ответ и показывает, откуда он. Файлы сохраняются сразу, и ответы по ним можно попробовать.'

/** Files of a saved assistant: added and removed at once, independently of the form. */
export function AssistantFiles({ assistant: { id, files } }: { assistant: Pick<Assistant, 'id' | 'files'> }) {
  return (
    <LibraryFiles library={assistantLibrary(id)} files={files} label="Файлы ассистента" description={DESCRIPTION} />
  )
}

interface LibraryFilesProps {
  library: LibraryCalls
  files: AssistantFile[]
  label: string
  description: string
}

/** Files of an assistant or a project. */
export function LibraryFiles({ library, files, label, description }: LibraryFilesProps) {
  const client = useQueryClient()
  const pendingRemovals = usePendingRemovals()
  const uploads = useUploads().filter((upload) => upload.library.id === library.id)
  const shown = files.filter((file) => !pendingRemovals.has(file.id))

  function add(chosen: File[]) {
    const { taken, rejections } = chooseFiles(chosen, files.length + uploads.length)
    if (taken.length > 0) uploadFiles(client, library, taken)
    toastRejections(rejections)
  }

  return (
    <FormSection title="Файлы" description={description}>
      {shown.length + uploads.length > 0 && (
        <ul aria-label={label} className="flex flex-col gap-2">
          {shown.map((file) => (
            <StoredFile key={file.id} library={library} file={file} />
          ))}
          {uploads.map((upload) => (
            <UploadingFile key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
      {files.length + uploads.length < MAX_LIBRARY_FILES ? (
        <DropZone label={label} onFiles={add} />
      ) : (
        <p className="text-sm text-muted">Файлов уже {MAX_LIBRARY_FILES}, больше нельзя. Уберите лишние.</p>
      )}
      <Allowance />
    </FormSection>
  )
}

/** The free indexing allowance; nothing where files are searched by words only. */
export function Allowance() {
  const { data } = useQuery(allowanceQuery)
  return data?.allowance ? <p className="figures text-sm text-muted">{allowanceLabel(data.allowance)}</p> : null
}

export function toastRejections(rejections: string[]) {
  if (rejections.length > 0)
    notify.error({ title: 'Не всё удалось добавить', description: [...new Set(rejections)].join(' ') })
}

function StoredFile({ library, file }: { library: LibraryCalls; file: AssistantFile }) {
  const client = useQueryClient()
  const { id, name, state, progress, price, scan } = file
  const retry = () => library.retry(client, id).catch((error: Error) => message.error(callErrorText(error)))
  const pay = () => library.pay(client, id).catch((error: Error) => message.error(callErrorText(error)))
  return (
    <FileRow
      name={name}
      note={fileState(file)}
      isFailed={state === 'failed' && !scan}
      progress={isProcessing(file) ? progress / 100 : null}
      price={price}
      onRetry={state === 'failed' && !scan ? () => void retry() : undefined}
      onPay={price ? () => void pay() : undefined}
      onRemove={() =>
        undoable({
          id,
          title: `Файл «${name}» убран`,
          action: () => library.remove(client, id),
          failed: 'Файл не убран',
        })
      }
    >
      {scan && scan.read < scan.pages && !isProcessing(file) && (
        <Suspense>
          <ScanPanel fileId={id} fileName={name} />
        </Suspense>
      )}
    </FileRow>
  )
}

function UploadingFile({ upload: { key, file, progress, error } }: { upload: Upload }) {
  const client = useQueryClient()
  return (
    <FileRow
      name={file.name}
      note={error ?? (progress === null ? 'Ждёт очереди' : `Загружается, ${Math.round(progress * 100)} %`)}
      isFailed={error !== null}
      progress={error === null ? (progress ?? 0) : null}
      removeLabel="Отменить загрузку"
      onRetry={error === null ? undefined : () => retryUpload(client, key)}
      onRemove={() => cancelUpload(key)}
    />
  )
}

/** Files of an assistant that is not saved yet. */
export function FirstFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  function add(chosen: File[]) {
    const { taken, rejections } = chooseFiles(chosen, 0)
    onFiles(taken)
    toastRejections(rejections)
  }
  return (
    <FormSection title="Файлы" description={DESCRIPTION}>
      <DropZone label="Файлы ассистента" onFiles={add} />
      <Allowance />
    </FormSection>
  )
}

/** Says beside the try-out that some files are not searched yet. */
export const readingNote = (files: readonly AssistantFile[] = []) =>
  files.some(isProcessing) ? 'Файлы ещё читаются: ответы по ним появятся, когда они будут готовы.' : undefined
