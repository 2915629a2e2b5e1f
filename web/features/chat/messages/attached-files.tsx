import { FileText } from 'lucide-react'
import type { Attachment } from '#contract/files.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { fileAddress } from '../composer/file-address.ts'

/** What came with a message: pictures to look at, documents by name. */
export function AttachedFiles({ files }: { files: Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Приложено" className="mb-2 flex flex-wrap justify-end gap-2">
      {files.map((file) => (
        <li key={file.id}>{file.kind === 'image' ? <Picture file={file} /> : <Document file={file} />}</li>
      ))}
    </ul>
  )
}

function Picture({ file }: { file: Attachment }) {
  return (
    <a href={fileAddress(file.id)} target="_blank" rel="noreferrer" className="block rounded-md" title={file.name}>
      <img
        src={fileAddress(file.id)}
        alt={file.name}
        loading="lazy"
        className="size-32 rounded-md border bg-hover object-cover"
      />
    </a>
  )
}

function Document({ file }: { file: Attachment }) {
  return (
    <a
      href={fileAddress(file.id)}
      target="_blank"
      rel="noreferrer"
      className="flex max-w-60 items-center gap-2.5 rounded-md border bg-surface px-3 py-2 transition-colors hover:bg-hover"
    >
      <FileText size={20} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0 leading-tight">
        <span className="block truncate text-[15px]">{file.name}</span>
        <span className="block text-[13px] text-muted">{formatBytes(file.bytes)}</span>
      </span>
    </a>
  )
}
