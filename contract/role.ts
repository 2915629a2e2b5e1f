import * as z from 'zod/mini'

export const Role = z.enum(['admin', 'user'])
export type Role = z.infer<typeof Role>
