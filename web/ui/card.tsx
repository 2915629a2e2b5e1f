import type { HTMLAttributes } from 'react'
import { classNames } from '#web/lib/class-names.ts'

export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div {...rest} className={classNames('rounded-md border bg-surface p-5', className)} />
}
