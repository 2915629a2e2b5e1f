import { useQuery } from '@tanstack/react-query'
import { type GatewayState, gatewaysApi } from '#contract/gateways.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { paths } from '#web/lib/paths.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Copy } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { methodsOf, receiptsOf, stateOf, unpayable } from './gateway-labels.ts'
import { bundlesQuery, plansQuery } from './queries.ts'

const gatewaysQuery = callQuery(['gateways'], gatewaysApi.list, {})

export function GatewayBoard() {
  const gateways = useQuery(gatewaysQuery)
  if (gateways.isError) return <QueryError query={gateways} />
  if (!gateways.data) return <Skeleton className="h-96" />
  return (
    <div className="flex flex-col gap-5">
      <Summary gateways={gateways.data} />
      <UnpayablePrices gateways={gateways.data} />
      <ul className="grid items-start gap-4 xl:grid-cols-2">
        {gateways.data.map((gateway) => (
          <li key={gateway.name}>
            <GatewayCard gateway={gateway} />
          </li>
        ))}
      </ul>
      <p className="text-muted">
        Как подключить, шаг за шагом:{' '}
        <TextLink inText href={paths.help('owners/payments')}>
          Как принимать оплату
        </TextLink>
      </p>
    </div>
  )
}

function Summary({ gateways }: { gateways: GatewayState[] }) {
  const on = gateways.filter(({ isOn }) => isOn)
  const titles = on.map(({ title }) => title).join(' и ')
  if (on.length === 0)
    return (
      <Callout tone="warning" title="Оплата не настроена">
        Люди видят цены, но купить ничего не могут. Посмотреть всю покупку без денег можно так:{' '}
        <code>YOOKASSA_STAND_IN=1 npm start</code>. Это тестовая оплата: деньги не списываются.
      </Callout>
    )
  if (on.some(({ isFake }) => isFake))
    return (
      <Callout tone="warning" title="Тестовая оплата">
        Вместо платёжной системы отвечает её замена: страницы ненастоящие, деньги не списываются, а символы начисляются.
        Годится, чтобы посмотреть всю покупку, но не для покупателей.
      </Callout>
    )
  if (on.some(({ isTest }) => isTest))
    return (
      <Callout tone="warning" title="Тестовые платежи">
        Символы начисляются за тестовые карты, настоящие деньги не приходят.
      </Callout>
    )
  return (
    <Callout tone="success" title="Оплата принимается">
      Платежи идут через {titles}.
    </Callout>
  )
}

function UnpayablePrices({ gateways }: { gateways: GatewayState[] }) {
  const plans = useQuery(plansQuery).data ?? []
  const bundles = useQuery(bundlesQuery).data ?? []
  if (!gateways.some(({ isOn }) => isOn)) return null
  const found = unpayable([...plans, ...bundles], gateways)
  if (found.length === 0) return null
  const currencies = [...new Set(found.map(({ currency }) => currency))].join(', ')
  return (
    <Callout tone="warning" title={`Платежи в ${currencies} никто не принимает`}>
      Купить нельзя: {found.map(({ name }) => `«${name}»`).join(', ')}. Подключите платёжную систему для этой валюты или
      смените валюту в разделах{' '}
      <TextLink inText href={adminPaths.plans()}>
        Тарифы
      </TextLink>{' '}
      и{' '}
      <TextLink inText href={adminPaths.tokenBundles()}>
        Пакеты символов
      </TextLink>
      .
    </Callout>
  )
}

function GatewayCard({ gateway }: { gateway: GatewayState }) {
  const { title, isOn, missing, currencies, notificationUrl, name } = gateway
  const { tone, label } = stateOf(gateway)
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{title}</h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {isOn && (
        <Facts
          facts={[
            { name: 'Валюты', value: currencies.join(', ') || 'все, для которых нет другой платёжной системы' },
            { name: 'Способы', value: methodsOf(gateway) },
            { name: 'Подписки', value: name === 'bepaid' ? 'списывает bePaid' : 'списываем мы сохранённым способом' },
            { name: 'Чеки', value: receiptsOf(gateway) },
            {
              name: 'Уведомления',
              value: notificationUrl ? <CopiedUrl url={notificationUrl} /> : 'адрес назван в заказе',
            },
          ]}
        />
      )}
      {missing.length > 0 && (
        <div>
          <p className="font-medium">{isOn ? 'Чего не хватает' : 'Как включить'}</p>
          <ul className="mt-1 list-disc space-y-1 pl-5 text-[15px]">
            {missing.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
      {isOn && <GatewayCheck gateway={gateway} />}
    </Card>
  )
}

function CopiedUrl({ url }: { url: string }) {
  const copy = () => void copyAndReport(url, 'Адрес скопирован', 'Браузер не дал скопировать. Выделите адрес сами.')
  return (
    <span className="flex flex-col items-start gap-2">
      <code className="wrap-anywhere">{url}</code>
      <Button size="sm" icon={<Copy size={16} />} onClick={copy}>
        Скопировать
      </Button>
    </span>
  )
}

function GatewayCheck({ gateway: { name, title } }: { gateway: GatewayState }) {
  const check = useFormCall((name: string) => api(gatewaysApi.check, { params: { name } }))
  const { data } = check
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" busy={check.isPending} onClick={() => check.mutate(name)}>
        Проверить {title}
      </Button>
      <div role="status" className="empty:hidden">
        {data?.isOk && !check.isPending && (
          <Callout tone="success" title="Всё сходится">
            {title} отвечает и принимает настройки.
          </Callout>
        )}
        {data && !data.isOk && !check.isPending && (
          <Callout tone="warning" title="Нашлось, что исправить">
            <ul className="list-disc space-y-1 pl-5">
              {data.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
      <ErrorNote text={check.errors.form} />
    </div>
  )
}
