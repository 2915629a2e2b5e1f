const cell = 'h-4 w-2 rounded-[2px] bg-accent-ink opacity-25 animate-[count_1.2s_ease-in-out_infinite]'

/** Three cells that light up one after another until the first word of an answer. The live region announces it. */
export function Thinking() {
  return (
    <div aria-hidden="true" data-screen-only className="flex h-7 items-center gap-1">
      <span className={cell} />
      <span className={`${cell} [animation-delay:150ms]`} />
      <span className={`${cell} [animation-delay:300ms]`} />
    </div>
  )
}
