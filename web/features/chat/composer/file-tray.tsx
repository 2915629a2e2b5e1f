import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { price } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { Model } from '#contract/models.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { pagesLabel, ScanPanel } from '#web/features/scans/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FileText, RotateCcw, X } from '#web/ui/icons.ts'
import { fileAddress, fileSize } from './attachments.ts'
import { filesSize } from './estimate.ts'
import { removeDraftFile, retryUpload, watchFile } from './upload-files.ts'
import type { Upload } from './uploads.ts'

interface FileTrayProps {
  draft: string
  files: Attachment[]
  uploads: readonly Upload[]
  /** Whose rate the price of a file has. */
  model: Model | null
}

export function FileTray({ draft, files, uploads, model }: FileTrayProps) {
  useEffect(() => {
    for (const { id, state } of files) if (state !== 'ready' && state !== 'failed') void watchFile(draft, id)
  }, [draft, files])
  const { data: models = [] } = useQuery(modelsQuery)
  const canRead = models.some(({ kind }) => kind === 'scan')
  if (files.length + uploads.length === 0) return null
  return (
    <ul aria-label="Приложенные файлы" className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map((file) => (
        <Tile
          key={file.id}
          name={file.name}
          image={file.kind === 'image' ? fileAddress(file.id) : null}
          note={stateOf(file, model)}
          failure={file.state === 'failed' && !file.scan ? 'Не прочитан' : null}
          share={file.state === 'ready' || file.state === 'failed' ? null : file.progress / 100}
          onRemove={() => removeDraftFile(draft, file.id)}
        >
          {(hasUnreadPages(file) || (canRead && isUnseen(file, model))) && (
            <Suspense>
              <ScanPanel fileId={file.id} fileName={file.name} onEnd={() => void watchFile(draft, file.id)} />
            </Suspense>
          )}
        </Tile>
      ))}
      {uploads.map((upload) => (
        <UploadTile key={upload.key} draft={draft} upload={upload} />
      ))}
    </ul>
  )
}

const hasUnreadPages = ({ state, scan }: Attachment) =>
  Boolean(scan && scan.read < scan.pages) && (state === 'ready' || state === 'failed')

/** An image that the model does not see: its text can be read instead. */
const isUnseen = ({ kind, scan }: Attachment, model: Model | null) =>
  kind === 'image' && !scan && model?.kind === 'text' && !model.vision

function stateOf(file: Attachment, model: Model | null): string {
  const { state, error, progress, scan } = file
  if (state === 'failed' && scan) return `Это скан: ${pagesLabel(scan.pages)}.`
  if (state === 'failed') return error ?? 'Не удалось прочитать'
  if (state === 'indexing') return `Индексируется, ${progress} %`
  if (state !== 'ready') return 'Читается…'
  const cost = model?.kind === 'text' ? price(filesSize([file], model.vision), 0, model) : 0
  return cost > 0 ? `+ ${formatSymbols(cost)}` : fileSize(file)
}

function UploadTile({ draft, upload }: { draft: string; upload: Upload }) {
  const { file, isImage, share, error, cancel } = upload
  const preview = usePreview(isImage ? file : null)
  return (
    <Tile
      name={file.name}
      image={preview}
      note={error ?? `${Math.round(share * 100)} % из ${formatBytes(file.size)}`}
      failure={error === null ? null : 'Не загружен'}
      share={error === null ? share : null}
      onRemove={cancel}
      retry={
        error !== null && (
          <button
            type="button"
            aria-label={`Загрузить «${file.name}» ещё раз`}
            title="Загрузить ещё раз"
            onClick={() => retryUpload(draft, upload)}
            className="grid size-7 shrink-0 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink"
          >
            <RotateCcw size={15} />
          </button>
        )
      }
    />
  )
}

function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return address
}

interface TileProps {
  name: string
  image: string | null
  note: string
  /** What happened, in two words; the note has the whole sentence then. */
  failure: string | null
  /** From 0 to 1; null when the file is ready or failed. */
  share: number | null
  onRemove: () => void
  retry?: ReactNode
  children?: ReactNode
}

function Tile({ name, image, note, failure, share, onRemove, retry, children }: TileProps) {
  return (
    <li
      className={classNames(
        'relative flex items-center gap-2.5 overflow-hidden rounded-md border bg-page py-1.5 pr-1 pl-1.5',
        children ? 'max-w-96' : 'max-w-64',
      )}
    >
      {image ? (
        <img src={image} alt="" className="size-10 shrink-0 rounded-sm object-cover" />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center rounded-sm bg-hover text-muted">
          <FileText size={20} />
        </span>
      )}
      <span className="min-w-0 leading-tight">
        <span className="block truncate text-sm">{name}</span>
        {failure ? (
          <Reason name={name} failure={failure} note={note} />
        ) : (
          <span title={note} className="figures block truncate text-[13px] text-muted">
            {note}
          </span>
        )}
        {children}
      </span>
      {retry}
      <button
        type="button"
        aria-label={`Убрать «${name}»`}
        title="Убрать"
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink"
      >
        <X size={16} />
      </button>
      {share !== null && (
        <span
          aria-hidden="true"
          style={{ transform: `scaleX(${Math.max(share, 0.04)})` }}
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent-ink transition-transform"
        />
      )}
    </li>
  )
}

/** One short line in the tile; the sentence of the error is a press away. */
function Reason({ name, failure, note }: { name: string; failure: string; note: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        title={note}
        onClick={() => setOpen(true)}
        className="block max-w-full truncate rounded-xs text-[13px] text-danger underline underline-offset-2 pointer-coarse:py-1"
      >
        {failure}. Почему?
      </button>
      {isOpen && (
        <Dialog open title={`Файл «${name}»`} onClose={() => setOpen(false)}>
          <p className="text-pretty wrap-anywhere">{note}</p>
        </Dialog>
      )}
    </>
  )
}
