import type { ReactNode } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { Callout } from '#web/ui/callout.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ChartColumn } from '#web/ui/icons.ts'
import { Section } from '#web/ui/section.tsx'
import { Charts } from './charts.tsx'
import { countFigure, moneyFigure, shareFigure } from './figure.ts'
import { FigureCards, FigureList } from './figure-cards.tsx'
import { Health } from './health.tsx'
import { ModelTable } from './model-table.tsx'
import { Owed, SymbolMoves } from './symbols-card.tsx'
import { UserTable } from './user-table.tsx'

export function Dashboard({ statistics }: { statistics: Statistics }) {
  const { models, users, symbols, owed } = statistics
  if (statistics.since === null) return <NothingYet />
  return (
    <div className="flex flex-col gap-10">
      {isEmpty(statistics) && (
        <Callout tone="info" title="За период ничего не было">
          Никто не писал и не платил. Выберите другой период.
        </Callout>
      )}
      <FigureCards figures={mainFigures(statistics)} />
      <Section id="days" title="По дням">
        <Charts statistics={statistics} />
      </Section>
      <Section id="models" title="Модели" description="Время ответа: медиана и 95-й процентиль.">
        <ModelTable models={models} />
      </Section>
      <Section id="money" title="Деньги и подписки">
        <Columns>
          <FigureList title="Подписки" figures={subscriptionFigures(statistics)} />
          <FigureList title="Платежи" figures={paymentFigures(statistics)} />
          <FigureList title="Промокоды" figures={promoFigures(statistics)} />
        </Columns>
      </Section>
      <Section id="people" title="Люди">
        <div className="flex flex-col gap-4">
          <FigureList title="Активность" figures={peopleFigures(statistics)} className="lg:max-w-md" />
          <h3 className="font-medium">Пользователи с наибольшим расходом</h3>
          <UserTable users={users} />
        </div>
      </Section>
      <Section id="symbols" title="Символы">
        <div className="grid gap-4 lg:grid-cols-2">
          <SymbolMoves symbols={symbols} />
          <Owed owed={owed} />
        </div>
      </Section>
      <Section id="health" title="Здоровье">
        <Health statistics={statistics} />
      </Section>
    </div>
  )
}

const Columns = ({ children }: { children: ReactNode }) => <div className="grid gap-4 lg:grid-cols-3">{children}</div>

function mainFigures({ people, work, money, subscriptions }: Statistics) {
  return [
    countFigure('active', people.active),
    countFigure('fresh', people.fresh),
    countFigure('messages', work.messages),
    countFigure('charged', work.charged),
    moneyFigure('revenue', money.revenue),
    moneyFigure('mrr', subscriptions.mrr),
    moneyFigure('arpu', money.arpu),
    shareFigure('conversion', people.conversion),
  ]
}

function subscriptionFigures({ subscriptions }: Statistics) {
  return [
    countFigure('live', subscriptions.live),
    countFigure('started', subscriptions.started),
    countFigure('renewals', subscriptions.renewals),
    countFigure('canceled', subscriptions.canceled, 'less'),
    countFigure('ended', subscriptions.ended, 'less'),
    shareFigure('churn', subscriptions.churn, 'less'),
  ]
}

function paymentFigures({ money }: Statistics) {
  return [
    countFigure('paid', money.paid),
    countFigure('declined', money.declined, 'less'),
    countFigure('abandoned', money.abandoned, 'less'),
    moneyFigure('refunds', money.refunds, 'less'),
    moneyFigure('cost', money.cost, null),
  ]
}

function promoFigures({ promo }: Statistics) {
  return [
    countFigure('promoUses', promo.uses, null),
    countFigure('promoOrders', promo.orders, null),
    moneyFigure('promoRevenue', promo.revenue, null),
    moneyFigure('promoDiscount', promo.discount, null),
  ]
}

function peopleFigures({ people }: Statistics) {
  return [
    countFigure('daily', people.daily),
    countFigure('weekly', people.weekly),
    countFigure('monthly', people.monthly),
  ]
}

const isEmpty = ({ work, people, money }: Statistics) =>
  work.messages.now === 0 && people.active.now === 0 && money.paid.now === 0

function NothingYet() {
  return (
    <EmptyState
      icon={<ChartColumn />}
      title="Цифр пока нет"
      text="Они появятся с первым вопросом или платежом: кто пишет, сколько платят, во что обходятся ответы."
    />
  )
}
