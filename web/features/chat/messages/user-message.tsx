import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import type { OutboxItem } from '#web/lib/outbox.ts'
import { stopAnswer } from '../answers/answers.ts'
import { AttachedFiles } from './attached-files.tsx'
import { CopyButton } from './copy-button.tsx'
import { useMessageActions } from './message-actions.ts'
import { MessageEditor } from './message-editor.tsx'
import { OutgoingState } from './outgoing-state.tsx'
import { ToolButton } from './tool-button.tsx'
import { quietTools } from './tools-style.ts'
import { Versions } from './versions.tsx'

interface UserMessageProps {
  message: Message
  outgoing?: OutboxItem
  /** Far from the view only the text is there. */
  isNear: boolean
}

export function UserMessage({ message, outgoing, isNear }: UserMessageProps) {
  const [isEditing, setEditing] = useState(false)
  const { editQuestion } = useMessageActions(message)
  if (isEditing)
    return (
      <MessageEditor
        label="Изменить сообщение"
        text={message.content}
        action="Отправить"
        note="Прежняя версия останется рядом."
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          setEditing(false)
          stopAnswer(message.threadId)
          editQuestion(text)
        }}
      />
    )
  return (
    <div className="flex flex-col items-end">
      {isNear && <AttachedFiles files={message.files} />}
      {message.content !== '' && <Bubble text={message.content} />}
      {outgoing && <OutgoingState item={outgoing} />}
      {isNear && !outgoing && <UserTools message={message} onEdit={() => setEditing(true)} />}
    </div>
  )
}

const LONG = 1500

/** A long text does not push the conversation away. */
function Bubble({ text }: { text: string }) {
  const isLong = text.length > LONG || text.split('\n', 20).length === 20
  const [isOpen, setOpen] = useState(false)
  const isFolded = isLong && !isOpen
  return (
    <div className="max-w-[88%] rounded-lg rounded-br-xs bg-accent-soft px-4 py-2.5 print:max-w-full print:border print:bg-transparent">
      <p
        className={classNames(
          'whitespace-pre-wrap wrap-anywhere print:max-h-none',
          isFolded && 'max-h-64 overflow-hidden mask-b-from-70% print:mask-none',
        )}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          data-screen-only
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 rounded-xs text-sm text-accent-ink hover:underline"
        >
          {isOpen ? 'Свернуть' : 'Показать целиком'}
        </button>
      )}
    </div>
  )
}

function UserTools({ message, onEdit }: { message: Message; onEdit: () => void }) {
  const { remove } = useMessageActions(message)
  return (
    <div data-screen-only className="mt-1 flex items-center justify-end">
      <div className={classNames('flex', quietTools)}>
        <CopyButton text={message.content} />
        <ToolButton label="Изменить" icon={<Pencil size={17} aria-hidden="true" />} onClick={onEdit} />
        <ToolButton label="Удалить" icon={<Trash2 size={17} aria-hidden="true" />} onClick={remove} />
      </div>
      <Versions message={message} />
    </div>
  )
}
