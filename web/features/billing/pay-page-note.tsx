import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'

/** Under every button that leads to the payment page. */
export function PayPageNote() {
  return (
    <p className="text-sm text-pretty text-muted">
      Откроется страница bePaid. Номер карты вводится там, к нам он не попадает.{' '}
      <TextLink inText href={paths.help('account/terms')}>
        Условия
      </TextLink>
      {' и '}
      <TextLink inText href={paths.help('money/refunds')}>
        возвраты
      </TextLink>
    </p>
  )
}
