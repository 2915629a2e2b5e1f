import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { ArrowRightToLine, GitFork, Pencil, Quote, Trash2 } from '#web/ui/icons.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { askableModels, modelsIn } from '../composer/model-labels.ts'
import { formatRate } from '../composer/model-traits.ts'
import { depthNames } from '../composer/thinking-choice.ts'
import { threadKey } from '../state/thread-data.ts'
import { useMessageActions } from './message-actions.ts'
import { RateItems, RatingDialog } from './rate-items.tsx'
import { type AgainChange, useContinueLabel, useRepeatPrice, useThreadModel } from './use-prices.ts'

interface MoreMenuProps {
  trigger: ReactNode
  message: Message
  isLast: boolean
  onEdit: () => void
  onQuote: () => void
}

/** A phone has no room for these beside the answer. */
const isNarrow = () => matchMedia('(width < 40rem)').matches

/** Mounted open: the click that opens it also loads it. */
export function MoreMenu({ trigger, message, isLast, onEdit, onQuote }: MoreMenuProps) {
  const { continueAnswer, forkHere, remove } = useMessageActions(message)
  const continueLabel = useContinueLabel(message)
  const [isRating, setRating] = useState(false)
  return (
    <>
      <Menu defaultOpen trigger={trigger}>
        {isLast && message.content !== '' && (
          <MenuItem icon={<ArrowRightToLine size={18} />} onSelect={continueAnswer}>
            {continueLabel}
          </MenuItem>
        )}
        {isNarrow() && message.content !== '' && (
          <MenuItem icon={<Quote size={18} />} onSelect={onQuote}>
            Процитировать
          </MenuItem>
        )}
        {isNarrow() && <RateItems message={message} onBad={() => setRating(true)} />}
        <MenuItem icon={<GitFork size={18} />} onSelect={forkHere}>
          Новый чат отсюда
        </MenuItem>
        {message.content !== '' && (
          <MenuItem icon={<Pencil size={18} />} onSelect={onEdit}>
            Исправить текст
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={remove}>
          {isLast ? 'Удалить ответ' : 'Удалить с продолжением'}
        </MenuItem>
      </Menu>
      {isRating && <RatingDialog message={message} onClose={() => setRating(false)} />}
    </>
  )
}

interface AgainMenuProps {
  trigger: ReactNode
  message: Message
  onChoose: (change: AgainChange) => void
}

const againDepths = ['none', 'usual', 'more', 'most'] as const

/** Mounted open: the click that opens it also loads it. */
export function AgainMenu({ trigger, message, onChoose }: AgainMenuProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  const country = useQueryClient().getQueryData(threadKey(message.threadId))?.Assistant?.country ?? null
  const thinks = useThreadModel(message)?.thinks === true
  const priceOf = useRepeatPrice(message)
  const depths = againDepths.map((thinking) => ({ thinking, price: priceOf({ thinking }) }))
  const isOnePrice = new Set(depths.map(({ price }) => price)).size === 1
  return (
    <Menu defaultOpen trigger={trigger}>
      {thinks && (
        <>
          <p className={classNames(groupStyle, 'flex justify-between')}>
            Сколько думать
            {isOnePrice && <Price>{depths[0]?.price ?? ''}</Price>}
          </p>
          {depths.map(({ thinking, price }) => (
            <MenuItem key={thinking} onSelect={() => onChoose({ thinking })}>
              <span className="flex-1">{depthNames[thinking]}</span>
              {!isOnePrice && <Price>{price}</Price>}
            </MenuItem>
          ))}
          <MenuSeparator />
        </>
      )}
      <p className={groupStyle}>Ответить заново моделью</p>
      {modelsIn(askableModels(models), country).map((model) => (
        <MenuItem key={model.id} onSelect={() => onChoose({ modelId: model.id })}>
          <span className="min-w-0 flex-1 truncate">{model.name}</span>
          <Price>{priceOf({ modelId: model.id }) || formatRate(model)}</Price>
        </MenuItem>
      ))}
    </Menu>
  )
}

const Price = ({ children }: { children: string }) => (
  <span className="figures shrink-0 pl-4 text-[13px] text-muted">{children}</span>
)

const groupStyle = 'px-2.5 pt-1.5 pb-1 text-sm text-muted'
