import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GatewayName } from './payments.ts'

/** The owner's page of payments: which gateways are on, how, and what is missing. */

export const GatewayState = z.object({
  name: GatewayName,
  title: z.string(),
  isOn: z.boolean(),
  /** Payments are tests: of a test shop, with test cards, or of a fake. */
  isTest: z.boolean(),
  isFake: z.boolean(),
  /** Orders in these currencies go to it; empty when it takes those that no other gateway takes. */
  currencies: z.array(z.string()),
  /** What our page offers; empty when the payer chooses on the page of the gateway. */
  methods: z.array(z.string()),
  receipts: z.nullable(
    z.object({
      by: z.enum(['yookassa', 'till']),
      vatCode: z.int(),
      taxSystem: z.nullable(z.int()),
      subject: z.string(),
      mode: z.string(),
    }),
  ),
  /** The address that has to be set in the back office; null where each order names it. */
  notificationUrl: z.nullable(z.string()),
  /** What to do, in sentences. */
  missing: z.array(z.string()),
})
export type GatewayState = z.infer<typeof GatewayState>

export const GatewayCheck = z.object({
  /** The gateway answered and accepts the settings. */
  isOk: z.boolean(),
  /** What differs between the shop and the settings, in sentences. */
  problems: z.array(z.string()),
})
export type GatewayCheck = z.infer<typeof GatewayCheck>

export const gatewaysApi = {
  list: endpoint('GET', '/api/payment-gateways', {
    who: 'admin',
    summary: 'Платёжные системы: какие включены, как и чего не хватает',
    returns: z.array(GatewayState),
  }),
  check: endpoint('POST', '/api/payment-gateways/:name/check', {
    who: 'admin',
    summary: 'Проверить платёжную систему: спросить её и сравнить с настройками',
    returns: GatewayCheck,
  }),
}
