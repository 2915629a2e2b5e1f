import type * as z from 'zod/mini'
import { AppError } from './errors.ts'

/** Where the next page of a list begins, as text that is only handed back. */
export const writeCursor = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function readCursor<Cursor>(shape: z.ZodMiniType<Cursor>, text: string): Cursor {
  const cursor = shape.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!cursor.success) throw new AppError('bad_request', 'Поле cursor: такой страницы нет', { field: 'cursor' })
  return cursor.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
