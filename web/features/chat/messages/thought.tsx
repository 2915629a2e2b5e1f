import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { createKeyedStore } from '#web/lib/create-keyed-store.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { ChevronRight } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useLiveThought } from '../answers/growing-text.ts'
import { useRun } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { Thinking } from './thinking.tsx'
import { lastLine, thoughtLabel, willThink } from './thought-labels.ts'

/** A model that needs this long for its first word has probably thought. */
const SURELY_SECONDS = 3

/** The thoughts that the reader has opened; remembered until the page is closed. */
const opened = createKeyedStore<boolean>()

const thoughtText = lazy(async () => (await import('./thought-text.tsx')).ThoughtText)
const rowStyle = 'flex h-8 max-frame:h-11 pointer-coarse:h-11 items-center gap-1.5 text-sm text-muted'

/** The thought above its answer: its current line, later its duration. A click opens the whole text. */
export function Thought({ message }: { message: Message }) {
  return message.status === 'streaming' || message.thought ? <ThoughtOf message={message} /> : null
}

function ThoughtOf({ message }: { message: Message }) {
  const { id, threadId, modelId, content, status } = message
  const thought = useLiveThought(message)
  const isStreaming = status === 'streaming'
  const isThinking = isStreaming && content === ''
  const since = useThinkingSince(threadId, modelId)
  const counted = useSeconds(isThinking ? since : null)
  const { text, symbols, ms } = thought ?? { text: '', symbols: 0, ms: null }
  const isExpected = isStreaming && since !== null && (isThinking || (counted ?? 0) >= SURELY_SECONDS)
  if (text === '' && symbols === 0 && !isExpected) return null
  const seconds = ms === null ? counted : Math.round(ms / 1000)
  const label = thoughtLabel({ isThinking, seconds, isHidden: text === '' && symbols > 0 })
  return (
    <div data-thought data-screen-only>
      {text === '' ? (
        <Line label={label} isThinking={isThinking} />
      ) : (
        <Foldable id={id} label={label} text={text} isThinking={isThinking} />
      )}
    </div>
  )
}

/** Shown before the server has started the answer; three dots for a model that does not think. */
export function AwaitedThought({ threadId }: { threadId: string }) {
  const since = useThinkingSince(threadId, null)
  const seconds = useSeconds(since)
  if (since === null) return <Thinking />
  return <Line label={thoughtLabel({ isThinking: true, seconds, isHidden: false })} isThinking />
}

function Line({ label, isThinking }: { label: string; isThinking: boolean }) {
  return (
    <p data-screen-only className={rowStyle}>
      <Mark isThinking={isThinking} />
      <Label text={label} isThinking={isThinking} />
    </p>
  )
}

interface FoldableProps {
  id: string
  label: string
  text: string
  isThinking: boolean
}

function Foldable({ id, label, text, isThinking }: FoldableProps) {
  const isOpen = opened.use(id) === true
  const panelId = useId()
  const [ThoughtText, ask] = useOnDemand(thoughtText)
  useEffect(() => {
    if (isOpen) ask()
  }, [isOpen, ask])
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        // Screen readers must not read the counter every second.
        aria-label={isThinking ? 'Думает…' : undefined}
        onPointerEnter={thoughtText.preload}
        onFocus={thoughtText.preload}
        onClick={() => opened.set(id, !isOpen)}
        className={classNames(rowStyle, '-mx-1.5 max-w-full rounded-sm px-1.5 transition-colors hover:text-ink')}
      >
        <ChevronRight size={16} className={classNames('shrink-0 transition-transform', isOpen && 'rotate-90')} />
        <Label text={label} isThinking={isThinking} />
        {isThinking && !isOpen && <Flowing line={lastLine(text)} />}
      </button>
      {isOpen && (
        <div id={panelId} className="mt-1 mb-3">
          {ThoughtText ? <ThoughtText text={text} isGrowing={isThinking} /> : <Skeleton className="h-20" />}
        </div>
      )}
    </>
  )
}

function Label({ text, isThinking }: { text: string; isThinking: boolean }) {
  return <span className={classNames('figures text-left', isThinking && 'min-w-24 shrink-0')}>{text}</span>
}

/** A dot in the place of the chevron, until there is text to open. */
function Mark({ isThinking }: { isThinking: boolean }) {
  return (
    <span aria-hidden="true" className="grid size-4 shrink-0 place-items-center">
      <span
        className={classNames(
          'size-1.5 rounded-full bg-muted',
          isThinking && 'animate-[breathe_1.2s_ease-in-out_infinite]',
        )}
      />
    </span>
  )
}

/** Keeps the end of a long line visible: its beginning is cut off. */
function Flowing({ line }: { line: string }) {
  return (
    <span dir="rtl" aria-hidden="true" className="min-w-0 flex-1 truncate text-left">
      <bdi dir="ltr">{line}</bdi>
    </span>
  )
}

/** When the thinking of the running answer began; null for a model that does not think, or not yet. */
export function useThinkingSince(threadId: string, modelId: string | null): number | null {
  const run = useRun(threadId)
  const client = useQueryClient()
  const wanted = modelId ?? run?.modelId ?? client.getQueryData(threadKey(threadId))?.Model?.id
  const { data: model } = useQuery({ ...modelsQuery, select: (models) => models.find(({ id }) => id === wanted) })
  // During the web search the model has not been called yet.
  if (run?.stage) return null
  return run?.requestedAt !== undefined && model && willThink(model, run.thinking) ? run.requestedAt : null
}

/** Counts the seconds since `since`; the last count stays when it becomes null. */
function useSeconds(since: number | null): number | null {
  const [seconds, setSeconds] = useState(() => (since === null ? null : secondsSince(since)))
  useEffect(() => {
    if (since === null) return
    let timer: ReturnType<typeof setTimeout>
    const count = () => {
      setSeconds(secondsSince(since))
      timer = setTimeout(count, 1000 - (Math.max(0, Date.now() - since) % 1000))
    }
    count()
    return () => {
      clearTimeout(timer)
      setSeconds(secondsSince(since))
    }
  }, [since])
  return seconds
}

const secondsSince = (since: number) => Math.max(0, Math.floor((Date.now() - since) / 1000))
