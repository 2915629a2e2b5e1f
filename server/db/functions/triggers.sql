-- Each trigger is applied once, in its own transaction: `create or replace trigger` blocks writers of its table. To change
-- one, edit it here; to remove one, also drop it in a migration. The functions are in the other files of this folder.

-- admins.sql
create or replace trigger an_admin_stays_changed after update of role, banned on users
for each row when (is_acting_admin(old.role, old.banned) and not is_acting_admin(new.role, new.banned))
execute function keep_an_admin();

create or replace trigger an_admin_stays_deleted after delete on users
for each row when (is_acting_admin(old.role, old.banned)) execute function keep_an_admin();

-- audit.sql
create or replace trigger audit_append_only before update or delete on audit_log
for each row execute function audit_is_append_only();

create or replace trigger audit_never_emptied before truncate on audit_log
for each statement execute function audit_is_append_only();

-- legal.sql
create or replace trigger legal_versions_append_only before update or delete on legal_versions
for each row execute function legal_versions_are_kept();

create or replace trigger legal_versions_not_truncated before truncate on legal_versions
for each statement execute function legal_versions_are_kept();

-- libraries.sql
create or replace trigger assistant_words_forgotten after delete on assistants
for each row execute function forget_search_words();

create or replace trigger project_words_forgotten after delete on projects
for each row execute function forget_search_words();

-- money.sql
create or replace trigger balance_ended after update of exhausted on balances
for each row when (new.exhausted and not old.exhausted) execute function record_balance_ended();

create or replace trigger ledger_append_only before update or delete on ledger
for each row execute function ledger_is_append_only();

create or replace trigger ledger_not_truncated before truncate on ledger
for each statement execute function ledger_is_append_only();

-- people.sql
create or replace trigger user_forgotten before delete on users
for each row execute function forget_deleted_user();

-- sharing.sql
-- An answer shared while it is being written may still grow to its end.
create or replace trigger shared_text_kept before update of content, status on messages
for each row when (old.status <> 'streaming' and (new.content is distinct from old.content or new.status = 'streaming'))
execute function keep_shared_text();
