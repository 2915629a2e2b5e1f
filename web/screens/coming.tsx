import type { ScreenName } from '#contract/screens.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { comingTexts } from './coming-texts.ts'

/** An honest place for a screen that is still being built. */
export function ComingScreen({ screen }: { screen: ScreenName }) {
  const coming = comingTexts[screen]
  if (!coming) return null
  const { Icon, title, text } = coming
  return (
    <EmptyState
      icon={<Icon />}
      title={title}
      text={`${text} Этот раздел ещё делается.`}
      action={<ButtonLink href={paths.home()}>На главную</ButtonLink>}
    />
  )
}
