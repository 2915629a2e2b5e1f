import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { GatewayState } from './gateways.ts'

export const healthApi = {
  alive: endpoint('GET', '/api/health', {
    who: 'anyone',
    summary: 'Процесс отвечает',
    returns: z.object({ ok: z.literal(true) }),
  }),
  ready: endpoint('GET', '/api/health/ready', {
    who: 'anyone',
    summary: 'База данных отвечает, новых запросов ждут; 503 называет, чего нет',
    returns: z.object({
      ok: z.literal(true),
      /** Services that are unavailable now, for example `redis`. */
      degraded: z.array(z.string()),
      /** Only for admins. */
      payments: z.optional(z.array(GatewayState)),
      /** Programs that are not installed, for example `pdftoppm`: what needs them says so. */
      missing: z._default(z.array(z.string()), []),
    }),
  }),
}
