import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { CircleAlert, CirclePause, RotateCcw } from '#web/ui/icons.ts'
import { costToContinue, endedInThought, stoppedLabel } from './answer-cost.ts'
import { useMessageActions } from './message-actions.ts'
import { OutOfSymbolsCard } from './out-of-symbols-card.tsx'
import { useAgainLabel, useContinueLabel, useRepeatLabel, useThreadModel } from './use-prices.ts'

/** How an answer ended, unless it is complete, and what can be done about it. */
export function AnswerStatus({ message, isLast }: { message: Message; isLast: boolean }) {
  const { continueAnswer, regenerate } = useMessageActions(message)
  const continueLabel = useContinueLabel(message)
  const retryLabel = useRepeatLabel('Повторить', message)
  switch (message.status) {
    case 'streaming':
    case 'complete':
      return null
    case 'stopped':
      if (isLast && endedInThought(message)) return <StoppedInThought message={message} />
      return (
        <Note
          text={stoppedLabel(message)}
          label={continueLabel}
          onContinue={isLast && message.content !== '' ? continueAnswer : undefined}
        />
      )
    case 'interrupted':
      return (
        <Note
          text="Ответ прервался: сервер перезапускался."
          label={continueLabel}
          onContinue={isLast ? (message.content === '' ? () => regenerate() : continueAnswer) : undefined}
        />
      )
    case 'failed':
      return (
        <Failed reason={message.error?.message ?? 'Ответ не получился.'}>
          {message.error?.code === 'thought_limit' ? (
            <AfterThoughtLimit message={message} retryLabel={retryLabel} />
          ) : (
            <Retry label={retryLabel} onClick={() => regenerate()} />
          )}
        </Failed>
      )
    case 'out_of_symbols':
      return <OutOfSymbols message={message} onContinue={isLast ? continueAnswer : undefined} />
  }
}

function OutOfSymbols({ message, onContinue }: { message: Message; onContinue: (() => void) | undefined }) {
  const { data: models } = useQuery(modelsQuery)
  const model = models?.find(({ id }) => id === message.modelId)
  const cost = model ? costToContinue(message, model) : 1
  const label = useContinueLabel(message)
  return (
    <div className="mt-3">
      <OutOfSymbolsCard next={onContinue && { cost, label, onContinue }} />
    </div>
  )
}

/** The thought took the whole limit: offers an answer without thinking, or with a larger limit. */
function AfterThoughtLimit({ message, retryLabel }: { message: Message; retryLabel: string }) {
  const { regenerate } = useMessageActions(message)
  const withoutLabel = useAgainLabel('Ответить без размышлений', message, 'none')
  const moreLabel = useAgainLabel('Дать больше', message, 'most')
  if (!useThreadModel(message)?.thinks) return <Retry label={retryLabel} onClick={() => regenerate()} />
  return (
    <div data-screen-only className="flex basis-full flex-wrap gap-2 frame:pl-7.5">
      <Button size="sm" onClick={() => regenerate({ thinking: 'none' })}>
        {withoutLabel}
      </Button>
      <Button size="sm" onClick={() => regenerate({ thinking: 'most' })}>
        {moreLabel}
      </Button>
    </div>
  )
}

function StoppedInThought({ message }: { message: Message }) {
  const { regenerate } = useMessageActions(message)
  const canChoose = useThreadModel(message)?.thinks === true
  const label = useAgainLabel('Ответить без размышлений', message, 'none')
  return (
    <Note
      text={stoppedLabel(message)}
      label={label}
      onContinue={canChoose ? () => regenerate({ thinking: 'none' }) : undefined}
    />
  )
}

interface NoteProps {
  text: string
  label: string
  onContinue: (() => void) | undefined
}

function Note({ text, label, onContinue }: NoteProps) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
      <span className="inline-flex items-center gap-1.5">
        <CirclePause size={16} className="shrink-0" />
        {text}
      </span>
      {onContinue && (
        <Button size="sm" data-screen-only onClick={onContinue}>
          {label}
        </Button>
      )}
    </div>
  )
}

function Failed({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-danger-soft px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-60 gap-2.5">
        <CircleAlert size={20} className="mt-0.5 shrink-0 text-danger" />
        <span className="min-w-0 wrap-anywhere">{reason}</span>
      </p>
      {children}
    </div>
  )
}

function Retry({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="sm" data-screen-only icon={<RotateCcw size={16} />} onClick={onClick}>
      {label}
    </Button>
  )
}
