import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Qr } from '#contract/payments.ts'
import { formatCountdown, useSecondsUntil } from '#web/lib/countdown.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Card } from '#web/ui/card.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { isHandheld } from './pay-methods.tsx'

interface SbpCodeProps {
  qr: Qr
  title: string
  /** What the payer confirms in the app of the bank. */
  action: string
  done: string
  /** Says so when it is still not confirmed. */
  notYet: string
  isPretence: boolean
  /** Asks the server; resolves to whether it is confirmed or over. */
  onCheck: () => Promise<boolean>
  /** Other buttons. */
  children?: ReactNode
}

/** A code of СБП: a computer shows it to the phone, a phone opens the bank by the same address. */
export function SbpCode({ qr, title, action, done, notYet, isPretence, onCheck, children }: SbpCodeProps) {
  const [check, setCheck] = useState<'none' | 'asking' | 'not-yet'>('none')
  const card = useRef<HTMLDivElement>(null)
  // The button that led here is further down the page.
  useEffect(() => {
    card.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])

  async function ask() {
    setCheck('asking')
    const isOver = await onCheck().catch(() => false)
    setCheck(isOver ? 'none' : 'not-yet')
  }

  const picture = <QrCode text={qr.text} alt="QR-код для оплаты в приложении банка" />
  const isPhone = isHandheld()
  return (
    <Card className="flex flex-col gap-4 sm:flex-row sm:gap-6">
      {!isPhone && picture}
      <div ref={card} className="flex min-w-0 flex-1 scroll-mt-24 flex-col gap-3">
        <h2 className="text-lg font-semibold wrap-anywhere">{title}</h2>
        <p className="text-pretty">
          {isPhone
            ? `Откройте приложение банка и ${action}. Потом вернитесь сюда.`
            : `Наведите на код камеру телефона или сканер в приложении банка и ${action}. Эта страница узнает об этом сама.`}
        </p>
        <TimeLeft until={qr.expiresAt} />
        <div className="flex flex-wrap gap-2">
          {(isPhone || isPretence) && (
            <a
              href={qr.text}
              className={buttonStyle('primary', 'md')}
              {...(!isPhone && { target: '_blank', rel: 'noreferrer' })}
            >
              {isPretence ? 'Открыть тестовый банк' : 'Открыть приложение банка'}
            </a>
          )}
          <Button
            variant={isPhone || isPretence ? 'secondary' : 'primary'}
            busy={check === 'asking'}
            onClick={() => void ask()}
          >
            {done}
          </Button>
          {children}
        </div>
        <p role="status" className="text-sm text-pretty text-muted empty:hidden">
          {check === 'not-yet' && notYet}
        </p>
        {isPhone && (
          <details className="text-sm">
            <summary className="cursor-pointer text-muted">Показать QR-код для другого телефона</summary>
            {picture}
          </details>
        )}
        {isPretence && <p className="text-sm text-muted">Тестовая оплата: деньги не списываются.</p>}
      </div>
    </Card>
  )
}

function TimeLeft({ until }: { until: string }) {
  const seconds = useSecondsUntil(until)
  return (
    <p role="timer" className="figures text-muted">
      {seconds === 0 ? 'Код больше не действует.' : `Код действует ещё ${formatCountdown(seconds)}`}
    </p>
  )
}
