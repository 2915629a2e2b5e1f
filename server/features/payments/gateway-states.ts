import type { GatewayCheck, GatewayState } from '#contract/gateways.ts'
import { gatewayNames, gatewayTitles, paymentsApi } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import type { Shop, Shops, YookassaShop } from '#server/payments/shop.ts'
import type { PaymentDeps } from './deps.ts'
import { noteGatewayCheck } from './gateway-checks.ts'
import { probeShop, refusalSentence, shopRefusalsOf } from './shop-refusals.ts'

/** The gateways as the owner sees them. */

interface Place {
  db: Db
  shops: Shops
  appUrl: string
}

const OFF = {
  bepaid: 'Задайте BEPAID_SHOP_ID и BEPAID_SECRET_KEY; для проб — BEPAID_STAND_IN=1.',
  yookassa: 'Задайте YOOKASSA_SHOP_ID и YOOKASSA_SECRET_KEY; для проб — YOOKASSA_STAND_IN=1.',
}

export async function gatewayStates({ db, shops, appUrl }: Place): Promise<GatewayState[]> {
  const refusals = shops.yookassa ? await shopRefusalsOf(db) : []
  return gatewayNames.map((name) => {
    const shop = shops[name]
    const own = shop?.name === 'yookassa' ? shop : null
    return {
      name,
      title: gatewayTitles[name],
      isOn: shop !== null,
      isTest: shop?.test ?? false,
      isFake: shop?.isFake ?? false,
      currencies: own?.currencies ?? [],
      methods: own?.methods ?? [],
      receipts: own?.receipts ?? null,
      notificationUrl: name === 'yookassa' ? `${appUrl}${paymentsApi.notification.path}` : null,
      missing: [
        ...(shop ? [] : [OFF[name]]),
        ...(own ? refusals.map(refusalSentence) : []),
        ...(own && !own.receipts ? ['Чеки выключены. Если они нужны по закону, задайте YOOKASSA_RECEIPTS.'] : []),
      ],
    }
  })
}

export async function checkGateway({ user }: Ctx, deps: PaymentDeps, name: string): Promise<GatewayCheck> {
  const { shops, db } = deps
  const shop = name === 'yookassa' ? shops.yookassa : name === 'bepaid' ? shops.bepaid : null
  if (!shop) throw notFound('Такая платёжная система не подключена')
  const check = await askShop(deps, shop, user.email)
  await noteGatewayCheck(db, shop.name, check.isOk)
  return check
}

async function askShop(deps: PaymentDeps, shop: Shop, email: string): Promise<GatewayCheck> {
  try {
    if (shop.name === 'bepaid') await shop.gateway.subscriptionsPage(1)
    const problems = shop.name === 'yookassa' ? await problemsOf(deps, shop, email) : []
    return { isOk: problems.length === 0, problems }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { isOk: false, problems: [sentenceOf(error)] }
  }
}

async function problemsOf(deps: PaymentDeps, shop: YookassaShop, email: string): Promise<string[]> {
  const differences = await compareSettings(shop)
  return [...differences, ...(await probeShop(deps, shop, email))]
}

async function compareSettings({ gateway, methods, receipts, test }: YookassaShop): Promise<string[]> {
  const { status, test: isTest, payment_methods, fiscalization } = await gateway.account()
  const closed = methods.filter((method) => !payment_methods.includes(method))
  return [
    ...(status === 'disabled' ? ['Магазин выключен в ЮKassa: платежи он не примет.'] : []),
    ...(isTest === test ? [] : ['Ключ и магазин разные: один тестовый, другой настоящий.']),
    ...(closed.length > 0
      ? [`В магазине не подключено: ${closed.join(', ')}. Подключите или уберите из YOOKASSA_METHODS.`]
      : []),
    ...(receipts && fiscalization?.enabled === false
      ? ['Чеки включены в настройках, а в магазине касса не подключена.']
      : []),
    ...(!receipts && fiscalization?.enabled
      ? ['В магазине подключена касса, а чеки в настройках выключены: задайте YOOKASSA_RECEIPTS.']
      : []),
  ]
}

function sentenceOf({ failure }: GatewayError): string {
  const { status } = failure
  if (status === 401 || status === 403) return 'Платёжная система не принимает номер магазина или ключ.'
  return status && status < 500
    ? 'Платёжная система отклонила запрос: проверьте адрес API и номер магазина.'
    : 'Платёжная система не отвечает.'
}
