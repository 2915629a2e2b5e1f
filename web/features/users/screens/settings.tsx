import { ConsentSwitch } from '#web/features/analytics/consent-switch.tsx'
import { ChatSettings } from '#web/features/users/chat-settings.tsx'
import { MaskingSettings } from '#web/features/users/masking-settings.tsx'
import { PersonalSettings } from '#web/features/users/personal-settings.tsx'
import { ThemeChoice } from '#web/features/users/theme-choice.tsx'
import { hasAnalytics } from '#web/lib/analytics.ts'
import { Card } from '#web/ui/card.tsx'
import { Section } from '#web/ui/section.tsx'
import { ProfilePage } from './profile-page.tsx'

export default function SettingsScreen() {
  return (
    <ProfilePage part="profile-settings">
      {(profile) => (
        <>
          <Section id="chat" title="Настройки чата">
            <Card>
              <ChatSettings settings={profile.Settings} />
            </Card>
          </Section>
          <Section
            id="instructions"
            title="Как мне отвечать и что обо мне знать"
            description="Модель прочтёт это перед каждым вашим вопросом. Изменить можете только вы."
          >
            <Card>
              <PersonalSettings settings={profile.Settings} />
            </Card>
          </Section>
          <Section
            id="masking"
            title="Личные данные"
            description="Чего не показывать моделям, данные которых уходят в другую страну или неизвестно куда."
          >
            <Card>
              <MaskingSettings settings={profile.Settings} />
            </Card>
          </Section>
          <Section id="appearance" title="Оформление">
            <ThemeChoice />
          </Section>
          {hasAnalytics() && (
            <Section id="privacy" title="Статистика посещений">
              <Card>
                <ConsentSwitch />
              </Card>
            </Section>
          )}
        </>
      )}
    </ProfilePage>
  )
}
