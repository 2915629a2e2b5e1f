import { classNames } from '#web/lib/class-names.ts'

/** A placeholder while content loads; invisible for the first 150 ms, so that quick responses do not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'block animate-[appear_160ms_ease-out_150ms_backwards,breathe_1.6s_ease-in-out_310ms_infinite] rounded-sm bg-hover',
        className,
      )}
    />
  )
}
