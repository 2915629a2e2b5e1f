import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Build = z.object({ id: z.string() })

export const buildsApi = {
  latest: endpoint('GET', '/builds/latest.json', {
    who: 'anyone',
    summary: 'Номер сборки, которую сейчас отдаёт сервер',
    returns: Build,
  }),
}
