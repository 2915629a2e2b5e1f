import type { Profile } from '#contract/users.ts'
import { ChatSettings } from '#web/features/users/chat-settings.tsx'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'

/** What I prefer in chats. */
export function ChatSection({ profile }: { profile: Profile }) {
  return (
    <Section id="chat" title="Настройки чата">
      <Card>
        <ChatSettings settings={profile.Settings} />
      </Card>
    </Section>
  )
}
