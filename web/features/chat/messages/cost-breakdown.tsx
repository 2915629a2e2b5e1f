import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { EarlyStop, Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { chargeOfMessage } from '#web/lib/charge.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { ChargeSum } from '#web/ui/charge-sum.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { Floating } from '../floating.tsx'
import { costOfStop, cutMessagesLabel } from './answer-cost.ts'

interface CostBreakdownProps {
  trigger: ReactNode
  message: Message
}

/** Mounted open: the click that opens it also loads it. */
export function CostBreakdown({ trigger, message }: CostBreakdownProps) {
  const [isOpen, setOpen] = useState(true)
  return (
    <Floating label="Из чего сложилась цена" trigger={trigger} open={isOpen} onOpenChange={setOpen} align="end">
      <div className="flex w-80 max-w-full flex-col gap-3 p-4 text-[15px]">
        {message.charged === 0 ? <Free message={message} /> : <Charged message={message} />}
        <p className="text-sm">
          <TextLink href={paths.help('money/how-symbols-are-counted')}>Как считаются символы</TextLink>
        </p>
      </div>
    </Floating>
  )
}

function Free({ message: { status, earlyStop } }: { message: Message }) {
  return (
    <>
      <p>
        За этот ответ ничего не списано
        {status === 'failed' ? ': неудавшийся ответ бесплатный.' : '.'}
      </p>
      {earlyStop && <EarlyStopNote stop={earlyStop} />}
    </>
  )
}

function EarlyStopNote({ stop }: { stop: EarlyStop }) {
  return (
    <p className="text-sm text-muted">
      Вопрос отправлен модели, ответ остановлен до первого слова. {stop.free !== null && costOfStop(stop)}
    </p>
  )
}

/** An image has one price, whatever the length of its description. */
function ImageCost({ charged, modelName, isDropped }: { charged: number; modelName: string; isDropped: boolean }) {
  return (
    <>
      <p className="font-medium">
        Списано {formatSymbols(charged)}
        <span className="font-normal text-muted"> · {modelName}</span>
      </p>
      <p className="text-sm text-muted">
        {isDropped
          ? 'Изображение было заказано, когда вы его остановили.'
          : 'Цена одного изображения. Длина описания на неё не влияет.'}
      </p>
    </>
  )
}

function Charged({ message }: { message: Message }) {
  const { data: models } = useQuery(modelsQuery)
  const model = models?.find(({ id }) => id === message.modelId)
  if (model?.kind === 'image')
    return <ImageCost charged={message.charged} modelName={model.name} isDropped={Boolean(message.earlyStop)} />
  const cut = cutMessagesLabel(message.parts?.cutMessages ?? 0)
  return (
    <>
      <p className="font-medium">
        Списано {formatSymbols(message.charged)}
        {model && <span className="font-normal text-muted"> · {model.name}</span>}
      </p>
      <ChargeSum charge={chargeOfMessage(message, model)} />
      {message.earlyStop && <EarlyStopNote stop={message.earlyStop} />}
      {cut && <p className="text-sm text-muted">{cut}</p>}
    </>
  )
}
