import { and, eq, isNull } from 'drizzle-orm'
import { documentsForSale, documentTitles } from '#contract/legal.ts'
import { gatewayTitles } from '#contract/payments.ts'
import type { SetupStep, SetupStepName, Status, StatusPartName } from '#contract/status.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/client.ts'
import { bundles, plans, planVersions } from '#server/db/schema.ts'
import { isLoopback } from '#server/http/client-ip.ts'
import type { Shops } from '#server/payments/shop.ts'
import { publishedDocuments } from '../legal/documents.ts'
import { findGatewayCheck } from '../payments/gateway-checks.ts'
import { canPay } from '../payments/shops.ts'
import { realModels } from './status.ts'

/** The steps before the first sale, each computed from what is set, stored and working. */

export interface SetupPlace {
  db: Db
  shops: Shops
  settings: Pick<Config, 'appUrl' | 'smtp' | 'namesSupport'>
  /** Providers with a key. */
  providers: () => string[]
}

type Step = Omit<SetupStep, 'name'>
const done = (text: string, at: string | null = null): Step => ({ isDone: true, text, at })
const todo = (text: string, at: string | null = null): Step => ({ isDone: false, text, at })

export async function readSetup(place: SetupPlace, status: Status): Promise<SetupStep[]> {
  const [model, prices, payments, documents] = await Promise.all([
    modelStep(place),
    pricesStep(place),
    paymentsStep(place),
    documentsStep(place),
  ])
  const steps: Record<SetupStepName, Step> = {
    address: addressStep(place),
    mail: mailStep(place, partOf(status, 'mail')),
    ...{ model, prices, payments, documents },
    support: place.settings.namesSupport
      ? done('Люди знают, куда написать.')
      : todo('Задайте SUPPORT_URL или SUPPORT_EMAIL: иначе людям некуда написать.'),
    backup: backupStep(partOf(status, 'backups')),
  }
  return (Object.keys(steps) as SetupStepName[]).map((name) => ({ name, ...steps[name] }))
}

const partOf = ({ parts }: Status, name: StatusPartName) => parts.find((part) => part.name === name)
type Part = ReturnType<typeof partOf>

function addressStep({ settings: { appUrl } }: SetupPlace): Step {
  const { protocol, hostname } = new URL(appUrl)
  if (protocol === 'https:') return done(`${appUrl}.`)
  return isLoopback(hostname)
    ? todo(`${appUrl} открывается только на этой машине. Задайте APP_URL с адресом https и NODE_ENV=production.`)
    : todo(`${appUrl} открывается без шифрования. Задайте APP_URL с адресом https.`)
}

function mailStep({ settings: { smtp } }: SetupPlace, mail: Part): Step {
  if (!smtp) return todo('Письма складываются в ящик для разработки, и до людей они не доходят. Задайте SMTP_URL.')
  return mail?.state === 'ok'
    ? done(`Письма уходят от ${smtp.from}.`)
    : todo('Письма не уходят: проверьте SMTP_URL и почтовый сервер.')
}

const MAX_NAMES = 3

async function modelStep({ db, providers }: SetupPlace): Promise<Step> {
  const keys = providers()
  if (keys.length === 0) return todo('Отвечает только «Демо». Задайте ключ провайдера, например OPENAI_API_KEY.')
  const names = await realModels(db, keys)
  if (names.length === 0) return todo('Ключ задан, а модели с ним люди не видят: добавьте модель или покажите её.')
  const more = names.length - MAX_NAMES
  return done(`Отвечают: ${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` и ещё ${more}` : ''}.`)
}

async function pricesStep({ db, shops }: SetupPlace): Promise<Step> {
  const sold = [
    ...(await db
      .select({ currency: planVersions.currency })
      .from(plans)
      .innerJoin(planVersions, and(eq(planVersions.planId, plans.id), eq(planVersions.current, true)))
      .where(eq(plans.active, true))),
    ...(await db
      .select({ currency: bundles.currency })
      .from(bundles)
      .where(and(eq(bundles.active, true), isNull(bundles.deletedAt)))),
  ]
  if (sold.length === 0) return todo('Продавать пока нечего: добавьте тариф или пакет символов.')
  const currencies = [...new Set(sold.map(({ currency }) => currency))].sort()
  const isPayable = (currency: string) => canPay({ shops }, currency)
  const isOn = Object.values(shops).some(Boolean)
  if (isOn && !currencies.some(isPayable))
    return todo(`Цены в ${currencies.join(', ')}, а платежи в этой валюте никто не принимает: смените валюту.`)
  return done(`В продаже тарифов и пакетов: ${sold.length}.`)
}

async function paymentsStep({ db, shops }: SetupPlace): Promise<Step> {
  const on = [shops.bepaid, shops.yookassa].filter((shop) => shop !== null)
  if (on.length === 0) return todo('Платёжная система не подключена: задайте номер и ключ магазина.')
  if (on.some(({ isFake }) => isFake)) return todo('Оплата тестовая: денег она не списывает. Подключите магазин.')
  if (on.some(({ test }) => test))
    return todo('Магазин тестовый: настоящие деньги не придут. Задайте ключи настоящего.')
  const checks = await Promise.all(on.map(async (shop) => ({ shop, check: await findGatewayCheck(db, shop.name) })))
  const unchecked = checks.find(({ check }) => !check)
  if (unchecked)
    return todo(`${gatewayTitles[unchecked.shop.name]} подключена. Нажмите «Проверить» в разделе «Оплата».`)
  const bad = checks.find(({ check }) => check?.isOk === false)
  const at = checks.map(({ check }) => check?.at ?? '').sort()[0] ?? null
  if (bad) return todo(`${gatewayTitles[bad.shop.name]}: проверка нашла, что исправить.`, bad.check?.at ?? null)
  return done(`${on.map(({ name }) => gatewayTitles[name]).join(' и ')}: проверка пройдена.`, at)
}

async function documentsStep({ db }: SetupPlace): Promise<Step> {
  const published = (await publishedDocuments(db)).map(({ kind }) => kind)
  const missing = documentsForSale.filter((kind) => !published.includes(kind))
  if (missing.length === 0) return done('Оферта, согласие и реквизиты опубликованы.')
  return todo(`Не опубликовано: ${missing.map((kind) => documentTitles[kind].toLowerCase()).join(', ')}.`)
}

function backupStep(backups: Part): Step {
  if (!backups?.at) return todo('Копий ещё не было. Запускайте npm run backup каждую ночь.')
  return backups.state === 'ok'
    ? done('Последняя копия:', backups.at)
    : todo('Копии больше суток нет: проверьте расписание npm run backup. Последняя:', backups.at)
}
