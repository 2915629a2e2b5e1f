function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <path
        d="M9 3h14a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6h-8.2l-5.5 4.2A.8.8 0 0 1 8 28.6V25a6 6 0 0 1-5-6V9a6 6 0 0 1 6-6Z"
        className="fill-accent"
      />
      <path
        d="M9.5 10.5h13M9.5 16.5h6"
        strokeWidth="2.6"
        strokeLinecap="round"
        className="fill-none stroke-on-accent"
      />
      <circle cx="20.6" cy="16.5" r="1.9" className="fill-on-accent" />
    </svg>
  )
}

export function Logo({ name }: { name: string }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <LogoMark />
      {name}
    </span>
  )
}
