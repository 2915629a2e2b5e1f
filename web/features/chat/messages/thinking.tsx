const dot = 'size-1.5 rounded-full bg-muted animate-[breathe_1.2s_ease-in-out_infinite]'

/** An answer is on its way. The live region says it in words. */
export function Thinking() {
  return (
    <div aria-hidden="true" data-screen-only className="flex h-7 items-center gap-1.5">
      <span className={dot} />
      <span className={`${dot} [animation-delay:150ms]`} />
      <span className={`${dot} [animation-delay:300ms]`} />
    </div>
  )
}
