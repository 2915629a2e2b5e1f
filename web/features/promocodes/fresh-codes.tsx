import { useState } from 'react'
import type { FreshPromo } from '#contract/promocodes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { csvText, saveCsv } from '#web/lib/csv.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { LeaveDialog, useLeaveGuard } from '#web/ui/form/leave-guard.tsx'
import { Copy, Download } from '#web/ui/icons.ts'
import { giftLabel, madeLabel } from './promo-labels.ts'

interface FreshCodesProps {
  codes: FreshPromo[]
  onMore: () => void
}

/** Codes are shown only once, so closing asks for confirmation. */
export function FreshCodes({ codes, onMore }: FreshCodesProps) {
  const [isTaken, setIsTaken] = useState(false)
  const guard = useLeaveGuard(!isTaken && codes.length > 1)
  const [first] = codes
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-2xl font-semibold">{madeLabel(codes.length)}</h1>
        {first && <p className="mt-1 text-muted">Каждый даёт: {giftLabel(first)}.</p>}
      </header>
      <Callout tone="warning" title="Сохраните коды сейчас">
        Показать их ещё раз нельзя: на сервере остаются только последние знаки каждого.
      </Callout>
      <Card className="flex flex-col gap-4">
        <TakeCodes codes={codes} onTaken={() => setIsTaken(true)} />
        <ul aria-label="Коды" className="figures max-h-96 columns-[15rem] gap-6 overflow-y-auto">
          {codes.map(({ id, code }) => (
            <li key={id} className="py-0.5 select-all wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={codes.length === 1 && first ? adminPaths.promoCode(first.id) : adminPaths.promoCodes()}>
          {codes.length === 1 ? 'Открыть промокод' : 'К списку промокодов'}
        </ButtonLink>
        <Button variant="ghost" onClick={onMore}>
          Создать ещё
        </Button>
      </div>
      <LeaveDialog
        open={guard.leaving !== null}
        text="Вы ещё не скачали и не скопировали коды. Показать их снова не получится."
        onStay={guard.stay}
        onLeave={() => {
          guard.stay()
          guard.leaving?.go()
        }}
      />
    </div>
  )
}

function TakeCodes({ codes, onTaken }: { codes: FreshPromo[]; onTaken: () => void }) {
  async function copy() {
    const text = codes.map(({ code }) => code).join('\n')
    if (await copyAndReport(text, 'Скопировано', 'Не скопировалось. Скачайте CSV или выделите коды сами.')) onTaken()
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="primary"
        icon={<Download size={18} />}
        onClick={() => {
          saveCsv('promocodes.csv', asCsv(codes))
          onTaken()
        }}
      >
        Скачать CSV
      </Button>
      <Button icon={<Copy size={18} />} onClick={() => void copy()}>
        Скопировать
      </Button>
    </div>
  )
}

const HEAD = ['Код', 'Символы', 'Скидка, %', 'Сколько раз', 'Действует с', 'Действует до', 'Только первая покупка']

function asCsv(codes: FreshPromo[]): string {
  return csvText(
    HEAD,
    codes.map(({ code, symbols, discountPercent, maxUses, startsAt, expiresAt, firstPurchaseOnly }) => [
      code,
      symbols,
      discountPercent,
      maxUses,
      startsAt,
      expiresAt,
      firstPurchaseOnly ? 'да' : 'нет',
    ]),
  )
}
