/** Only for controls; a loading page shows skeletons. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 animate-[turn_700ms_linear_infinite] rounded-full border-2 border-current border-t-transparent"
    />
  )
}
