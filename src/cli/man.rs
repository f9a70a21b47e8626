//! `judgelab man`: one page for the command and all its parts.

use std::io::Error;

use clap::Command;
use clap_mangen::Man;

use super::error::Failure;

pub(super) fn man(mut command: Command) -> Result<(), Failure> {
    command.build();
    let page = page(&command)
        .map_err(|error| Failure::User(format!("the manual page cannot be made ({error}).")))?;
    super::print(&page)
}

fn page(command: &Command) -> Result<String, Error> {
    let whole = Man::new(command.clone());
    let mut page = Vec::new();
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for part in command.get_subcommands().filter(|it| it.get_name() != "help") {
        page.push_str(&section(part)?);
    }
    let mut end = Vec::new();
    whole.render_extra_section(&mut end)?;
    whole.render_version_section(&mut end)?;
    page.push_str(&String::from_utf8_lossy(&end));
    Ok(page)
}

/// A command's own section: what it does, how it is called, and its options without those of all commands.
fn section(command: &Command) -> Result<String, Error> {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_uppercase();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(command.clone().disable_help_flag(true).mut_arg("help", |it| it.hide(true)));
    let mut parts = Vec::new();
    man.render_synopsis_section(&mut parts)?;
    man.render_options_section(&mut parts)?;
    let parts = String::from_utf8_lossy(&parts).into_owned();
    let headed = |line: &&str| {
        !line.starts_with(".SH ") && !line.starts_with(".ie ") && !line.starts_with(".el ")
    };
    let body: Vec<&str> = parts.lines().filter(headed).collect();
    Ok(format!(".SH \"{name}\"\n{about}.\n.PP\n{}\n", body.join("\n")))
}
