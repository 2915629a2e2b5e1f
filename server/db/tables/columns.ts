import { type AnyPgColumn, bigint, customType, text, timestamp } from 'drizzle-orm/pg-core'
import { gatewayNames } from '#contract/payments.ts'

/** Milliseconds, like JavaScript dates, so that a cursor made from a date finds its row again. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })
export const createdAt = () => moment().notNull().defaultNow()
/** JavaScript numbers are exact to 9·10¹⁵, far above any balance. */
export const symbols = () => bigint({ mode: 'number' })
/** In minor units. */
export const money = () => bigint({ mode: 'number' })
/** The payment gateway that a row belongs to; rows of releases with one gateway are bePaid's. */
export const gateway = () => text({ enum: gatewayNames }).notNull().default('bepaid')
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
export const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (bytes) => Buffer.from(bytes),
})
/** The id of a row that this one is deleted with. */
export const deletedWith = (owner: () => AnyPgColumn) => text().notNull().references(owner, { onDelete: 'cascade' })
