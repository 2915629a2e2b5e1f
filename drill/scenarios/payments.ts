import type { Scenario } from '../lib/scenario.ts'
import { bundlePage, forgetOpening, insist, makeDue, openSale, refund, type Sale, settle } from '../lib/shop.ts'
import { type Stage, until } from '../lib/stage.ts'

const RESTARTS = 3
/** The gateway carries out every creating request and does not answer. */
const ALL = 1000

/** A payment, a renewal and a refund while something fails; then all three must be through, once. */
function during(fault: (stage: Stage, sale: Sale) => Promise<void>): Scenario['run'] {
  return async (stage) => {
    const sale = await openSale(stage)
    try {
      await fault(stage, sale)
      return await settle(stage, sale)
    } finally {
      await sale.close()
    }
  }
}

async function payNewest({ shop }: Sale): Promise<void> {
  const open = [...shop.payments.values()].filter(({ status, confirmation }) => status === 'pending' && confirmation)
  shop.pay(open.at(-1)?.id ?? '')
  await shop.idle()
}

/** Kills the server that has sent a request: it was carried out, and nothing is stored about it. */
async function killAfter(stage: Stage, { shop }: Sale, isMade: () => boolean): Promise<void> {
  if (!(await until(20, isMade))) stage.fail('запрос до шлюза не дошёл: проверка ничего не доказала')
  await Promise.all(stage.instances.map((instance) => instance.kill()))
  shop.faults.silent = 0
  await Promise.all(stage.instances.map((instance) => instance.start()))
  stage.balancer.use(stage.instances)
}

/** The page, then its payment while no server runs; the charge; the refund: each time the servers are killed. */
async function killBetween(stage: Stage, sale: Sale): Promise<void> {
  const { shop, buyer } = sale
  const payments = shop.payments.size
  shop.faults.silent = 1
  const opening = insist(buyer, bundlePage(stage, sale)).catch((error: Error) => stage.fail(error.message))
  await killAfter(stage, sale, () => shop.payments.size > payments)
  await forgetOpening(stage)
  await opening
  shop.faults.lost = 1
  await payNewest(sale)
  // Without notifications only the stored attempt can find what was made.
  Object.assign(shop.faults, { silent: 1, lost: 1 })
  const charges = shop.payments.size
  await makeDue(stage)
  await killAfter(stage, sale, () => shop.payments.size > charges)
  Object.assign(shop.faults, { silent: 1, lost: 1 })
  const refunds = shop.refunds.size
  const refunding = refund(stage, sale)
  await killAfter(stage, sale, () => shop.refunds.size > refunds)
  await refunding
}

async function restartPostgres(stage: Stage, sale: Sale): Promise<void> {
  await makeDue(stage)
  const paying = insist(sale.buyer, bundlePage(stage, sale)).then(() => payNewest(sale))
  const refunding = refund(stage, sale)
  for (let i = 0; i < RESTARTS; i++) {
    await stage.postgres.stop()
    await stage.postgres.start()
  }
  await forgetOpening(stage)
  await paying.catch((error: Error) => stage.fail(error.message))
  if ((await refunding).status !== 200) await insistOnRefund(stage, sale)
}

/** An owner who saw an error looks at the order and repeats; a refund under way is answered with 409. */
async function insistOnRefund(stage: Stage, sale: Sale): Promise<void> {
  const isTaken = async () => [200, 409].includes((await refund(stage, sale)).status)
  if (!(await until(30, isTaken))) stage.fail('возврат не принят за 30 с')
}

async function hangGateway(stage: Stage, sale: Sale): Promise<void> {
  // The notifications of the charge and of the refund are lost too.
  Object.assign(sale.shop.faults, { silent: ALL, lost: 2 })
  await makeDue(stage)
  const opening = insist(sale.buyer, bundlePage(stage, sale)).catch((error: Error) => stage.fail(error.message))
  await refund(stage, sale)
  sale.shop.faults.silent = 0
  await forgetOpening(stage)
  await opening
  await payNewest(sale)
}

export const payments: Scenario[] = [
  {
    id: '27',
    name: 'kill -9 между запросом к шлюзу и записью: оплата, продление, возврат',
    isShort: true,
    instances: 0,
    run: during(killBetween),
  },
  {
    id: '28',
    name: 'Postgres перезапущен трижды посреди оплаты, продления и возврата',
    instances: 0,
    run: during(restartPostgres),
  },
  {
    id: '29',
    name: 'платёжный шлюз выполняет запросы и молчит',
    instances: 0,
    run: during(hangGateway),
  },
]
