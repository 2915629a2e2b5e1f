export function ErrorIllustration() {
  return (
    <svg width="200" height="140" viewBox="0 0 200 140" fill="none" aria-hidden="true" className="max-w-full">
      <ellipse cx="100" cy="129" rx="66" ry="5" className="fill-hover" />
      <path
        d="M54 20h88a18 18 0 0 1 18 18v46a18 18 0 0 1-18 18H92l-22 18a3 3 0 0 1-5-2.3V102H54a18 18 0 0 1-18-18V38a18 18 0 0 1 18-18Z"
        strokeWidth="2.5"
        strokeLinejoin="round"
        className="fill-accent-soft stroke-accent-ink"
      />
      <g strokeWidth="3.5" strokeLinecap="round" className="stroke-accent-ink">
        <path d="M76 50v7M122 50v7" />
        <path d="M83 77c5-6 10-6 15-1s11 5 16-1" />
      </g>
      <path d="m176 8 3 7 7 3-7 3-3 7-3-7-7-3 7-3 3-7Z" className="fill-accent-ink" />
      <circle cx="24" cy="46" r="4" className="fill-line-strong" />
      <circle cx="182" cy="96" r="3" className="fill-line-strong" />
    </svg>
  )
}
