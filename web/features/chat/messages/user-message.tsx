import { useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import type { Message } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { withPrice } from '#web/lib/format.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { FileText, Pencil, Trash2 } from '#web/ui/icons.ts'
import { stopAnswer } from '../answers/answer-run.ts'
import { fileAddress, fileSize } from '../composer/attachments.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { Bubble } from './bubble.tsx'
import { useMessageActions } from './message-actions.ts'
import { MessageEditor } from './message-editor.tsx'
import { CopyButton, quietTools, ToolButton, Versions } from './message-tools.tsx'
import { OutgoingState } from './outbox-rows.tsx'
import { usePreloadPrices } from './use-prices.ts'

interface UserMessageProps {
  message: Message
  outgoing?: OutboxItem
  /** A row far from the viewport shows plain text only. */
  isNear: boolean
}

const changedImage = lazy(async () => (await import('./changed-image.tsx')).ChangedImage)

export function UserMessage({ isNear, ...props }: UserMessageProps) {
  if (isNear) return <NearMessage {...props} />
  return (
    <div className="flex flex-col items-end">
      {props.message.content !== '' && <Bubble text={props.message.content} />}
    </div>
  )
}

function NearMessage({ message, outgoing }: Omit<UserMessageProps, 'isNear'>) {
  const [isEditing, setEditing] = useState(false)
  const { editQuestion, priceOfEdit } = useMessageActions(message)
  const preloadPrices = usePreloadPrices()
  function startEditing() {
    preloadPrices()
    setEditing(true)
  }
  if (isEditing)
    return (
      <>
        {message.imageId && <Late component={changedImage} props={{ imageId: message.imageId }} />}
        <MessageEditor
          label="Изменить сообщение"
          text={message.content}
          action={(text) => {
            const cost = priceOfEdit(text)
            return withPrice('Отправить', cost?.most ?? null, cost?.kind)
          }}
          note="Прежняя версия останется рядом."
          onCancel={() => setEditing(false)}
          onSave={(text) =>
            editQuestion(text, () => {
              setEditing(false)
              stopAnswer(message.threadId)
            })
          }
        />
      </>
    )
  return (
    <div className="flex flex-col items-end">
      {message.imageId && <Late component={changedImage} props={{ imageId: message.imageId }} />}
      <AttachedFiles files={message.files} />
      {message.content !== '' && <Bubble text={message.content} />}
      {outgoing && <OutgoingState item={outgoing} />}
      {!outgoing && <UserTools message={message} onEdit={startEditing} />}
    </div>
  )
}

function UserTools({ message, onEdit }: { message: Message; onEdit: () => void }) {
  const { remove } = useMessageActions(message)
  return (
    <div data-screen-only className="mt-1 flex items-center justify-end">
      <div className={classNames('flex', quietTools)}>
        <CopyButton text={message.content} />
        <ToolButton label="Изменить" icon={<Pencil size={17} />} onClick={onEdit} />
        <ToolButton label="Удалить" icon={<Trash2 size={17} />} onClick={remove} />
      </div>
      <Versions message={message} />
    </div>
  )
}

/** Answers have files only when they were imported. */
export function AttachedFiles({ files, isAnswer = false }: { files: Attachment[]; isAnswer?: boolean }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Приложено" className={classNames('mb-2 flex flex-wrap gap-2', !isAnswer && 'justify-end')}>
      {files.map((file) => (
        <li key={file.id}>{file.kind === 'image' ? <ImageFile file={file} /> : <Document file={file} />}</li>
      ))}
    </ul>
  )
}

function ImageFile({ file }: { file: Attachment }) {
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
      <FileText size={20} className="shrink-0 text-muted" />
      <span className="min-w-0 leading-tight">
        <span className="block truncate text-[15px]">{file.name}</span>
        <span className="block text-[13px] text-muted">{fileSize(file)}</span>
      </span>
    </a>
  )
}
