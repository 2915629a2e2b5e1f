import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface QrCodeProps {
  text: string
  alt: string
}

/** The encoder is loaded with the first code that is drawn here. */
const DrawnCode = lazyComponent<QrCodeProps>(async () => {
  const { renderSVG } = await import('uqr')
  return ({ text, alt }) => <QrImage svg={renderSVG(text, { border: 2 })} alt={alt} />
})

export function QrCode(props: QrCodeProps) {
  return (
    <Suspense fallback={<Skeleton className="mx-auto my-2 size-48" />}>
      <DrawnCode {...props} />
    </Suspense>
  )
}

/** On white in the dark theme too: cameras need the contrast. */
export const QrImage = ({ svg, alt }: { svg: string; alt: string }) => (
  <img
    src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
    alt={alt}
    className="mx-auto my-2 size-48 shrink-0 rounded-md bg-white"
  />
)
