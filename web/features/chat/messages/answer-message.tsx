import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_MESSAGE, type Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { paths } from '#web/lib/paths.ts'
import { Scissors, WifiOff } from '#web/ui/icons.ts'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useLiveContent } from '../answers/growing-text.ts'
import { CitedAnswer } from '../citations/cited-answer.tsx'
import { useEditMessage } from '../queries.ts'
import { useRun } from '../state/runs.ts'
import { cutMessagesLabel } from './answer-cost.ts'
import { AnswerStatus } from './answer-status.tsx'
import { AnswerTools } from './answer-tools.tsx'
import { MaskedLine } from './masked-line.tsx'
import { MessageEditor } from './message-editor.tsx'
import { Thinking } from './thinking.tsx'
import { Thought, useThinkingSince } from './thought.tsx'
import { AttachedFiles } from './user-message.tsx'
import { StageSign, WebNote } from './web-note.tsx'

interface AnswerMessageProps {
  message: Message
  isLast: boolean
  /** A row far from the viewport shows plain text only. */
  isNear: boolean
}

export function AnswerMessage({ isNear, ...props }: AnswerMessageProps) {
  if (isNear) return <NearAnswer {...props} />
  return (
    <div data-text className="whitespace-pre-wrap wrap-anywhere">
      {props.message.content}
    </div>
  )
}

function NearAnswer({ message, isLast }: Omit<AnswerMessageProps, 'isNear'>) {
  const [isEditing, setEditing] = useState(false)
  const { mutate: edit } = useEditMessage(message.threadId)
  const { id, content, status } = message
  const isStreaming = status === 'streaming'
  if (isEditing)
    return (
      <MessageEditor
        label="Исправить ответ"
        text={content.slice(0, MAX_MESSAGE)}
        action="Сохранить"
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          setEditing(false)
          edit({ messageId: id, content: text })
        }}
      />
    )
  return (
    <>
      {message.masked && <MaskedLine message={message} hidden={message.masked} />}
      <Thought message={message} />
      {message.web && <WebNote web={message.web} />}
      {message.imported && <AttachedFiles files={message.files} isAnswer />}
      {content !== '' && <AnswerText message={message} />}
      {isStreaming && content === '' && <Drawing message={message} />}
      {isStreaming && (
        // The same height as the tools that replace it, so that nothing moves at the end.
        <div className="mt-1.5 flex h-8 items-center max-frame:h-11 pointer-coarse:h-11">
          <StreamingSign message={message} />
        </div>
      )}
      <AnswerStatus message={message} isLast={isLast} />
      {!isStreaming && <CutNote message={message} />}
      {!isStreaming && <AnswerTools message={message} isLast={isLast} onEdit={() => setEditing(true)} />}
    </>
  )
}

function AnswerText({ message }: { message: Message }) {
  const { status, citations = [] } = message
  const content = useLiveContent(message)
  const isStreaming = status === 'streaming'
  const answer = <LazyMarkdown text={content} isStreaming={isStreaming} />
  if (citations.length === 0) return answer
  return (
    <CitedAnswer text={content} citations={citations} message={message} isStreaming={isStreaming}>
      {answer}
    </CitedAnswer>
  )
}

const unfinishedImage = lazy(async () => (await import('./unfinished-image.tsx')).UnfinishedImage)

function Drawing({ message }: { message: Message }) {
  const { data: models } = useQuery(modelsQuery)
  const isImage = models?.some(({ id, kind }) => id === message.modelId && kind === 'image')
  return isImage && <Late component={unfinishedImage} props={{ message }} />
}

/** Shown while there is neither text nor thought, and while the connection is lost. */
function StreamingSign({ message: { threadId, modelId, content, thought } }: { message: Message }) {
  const run = useRun(threadId)
  const isThinking = useThinkingSince(threadId, modelId) !== null || Boolean(thought?.text)
  if (run?.stage && content === '' && !run.isDisconnected) return <StageSign stage={run.stage} />
  if (!run?.isDisconnected) return content === '' && !isThinking && <Thinking />
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      <WifiOff size={16} />
      {run.problem
        ? `Продолжение появится, когда ответит сервер. ${run.problem}`
        : 'Связь прервалась. Продолжение появится, когда она вернётся.'}
    </p>
  )
}

/** Says under an answer that its model did not read the beginning of the chat. */
function CutNote({ message: { parts } }: { message: Message }) {
  const cut = cutMessagesLabel(parts?.cutMessages ?? 0)
  if (!cut) return null
  return (
    <p className="mt-2 flex gap-1.5 text-sm text-muted">
      <Scissors size={16} className="mt-0.5 shrink-0" />
      <span>
        {cut}{' '}
        <TextLink inText href={paths.help('chat/long-chats')}>
          Как сжать начало чата
        </TextLink>
      </span>
    </p>
  )
}
