import type * as z from 'zod/mini'
import { AppError } from './errors.ts'

export const writeCursor = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function readCursor<Cursor>(schema: z.ZodMiniType<Cursor>, text: string): Cursor {
  const cursor = schema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!cursor.success)
    throw new AppError('bad_request', 'Такой страницы списка нет. Откройте его с начала.', { field: 'cursor' })
  return cursor.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
